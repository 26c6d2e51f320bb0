pytest_plugins = ["payspec.sandbox"]
