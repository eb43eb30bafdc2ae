"""Chat models: an OpenAI-compatible endpoint or litellm, under one contract."""
