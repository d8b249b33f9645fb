"""Wire the memory into agents: their configuration files, edited without touching anything else in them."""
