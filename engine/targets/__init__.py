"""Sources of answers: model, HTTP agent, function, command, recording."""
