pytest_plugins = ["payspec_sandbox"]
