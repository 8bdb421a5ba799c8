"""streambind: typed Python packages with stream decoders, from OpenAPI documents."""

__version__ = "0.1.0"
