"""The SQLite file: schema, migrations, reading and writing facts."""
