"""Documents -> IR: one file per OpenAPI object. Nothing here knows Python spelling or templates."""
