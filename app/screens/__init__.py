"""The screens of the desk. Each shows a session and turns keys into acts."""
