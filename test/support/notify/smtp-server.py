"""A mail server for tests: prints its ports, then every mail it takes, as JSON lines.

Arguments: the certificate, its key, and the kind of server: starttls, implicit or plain.
"""
import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

CERTIFICATE, KEY, KIND = sys.argv[1:4]


def tell(value):
    print(json.dumps(value), flush=True)


class Printer:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such mailbox"
        if address.startswith("later@"):
            return "451 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        text = envelope.content.decode("utf8", "replace")
        tell({"from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None or KIND == "implicit",
              "user": session.login_data and session.login_data.login.decode(), "text": text})
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=data.login == b"ops" and data.password == b"hunter2-hunter2", handled=False, auth_data=data)


class Server(SMTP):
    async def smtp_AUTH(self, arg):
        await super().smtp_AUTH(arg)
        self.session.login_data = self.session.auth_data


async def serve():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE, KEY)
    options = {
        "starttls": {"tls_context": tls, "require_starttls": True, "authenticator": authenticate, "auth_required": True},
        "implicit": {"auth_require_tls": False, "authenticator": authenticate, "auth_required": True},
        "plain": {},
    }[KIND]
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Server(Printer(), loop=loop, **options), "127.0.0.1", 0, ssl=tls if KIND == "implicit" else None)
    tell({"port": server.sockets[0].getsockname()[1]})
    await server.serve_forever()


asyncio.run(serve())
