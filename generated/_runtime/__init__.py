"""The run time of the generated stream decoders: framing, JSON text, errors."""
