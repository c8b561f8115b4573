"""Runs LocalStack in this process, on 127.0.0.1 alone.

GATEWAY_LISTEN names host and port, but LocalStack's server takes only the port from it and listens
on every IPv4 address. It opens its ports by TCP4ServerEndpoint, which takes the address as an
argument that LocalStack leaves out.
"""

import functools

from twisted.internet import endpoints

endpoints.TCP4ServerEndpoint = functools.partial(
    endpoints.TCP4ServerEndpoint, interface="127.0.0.1"
)

from localstack.runtime.main import main  # noqa: E402  (after the change above)

main()
