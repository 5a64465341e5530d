"""Logs in and out with the Python SDK of oVirt: URL, CA, user, password."""

import sys

import ovirtsdk4

url, ca, user, password = sys.argv[1:]


def connect(**more):
    return ovirtsdk4.Connection(url=url, ca_file=ca, **more)


connection = connect(username=user, password=password)
print("version", connection.system_service().get().product_info.version.major)
token = connection.authenticate()
connection.close()

# The logout has ended the token, and nobody can log in again without a password.
try:
    connect(token=token, username=user, password="wrong").system_service().get()
except ovirtsdk4.AuthError as error:
    print(error)
