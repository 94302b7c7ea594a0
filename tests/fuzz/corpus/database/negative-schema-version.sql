
pragma user_version = -5
