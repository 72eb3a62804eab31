"""Starting the service on one machine: a private Redis, the web server, the workers."""
