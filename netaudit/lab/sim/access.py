"""Who may in, and how a client knows that it talks to the lab: made anew at each start, thrown away at its end."""

from __future__ import annotations

import datetime
import ipaddress
import secrets
from dataclasses import dataclass, field

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

USER = "admin"
_LIFETIME = datetime.timedelta(days=30)
"""Longer than any lab runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """All secrets of a running lab. The CA's key is forgotten as soon as it has signed."""

    user: str
    password: str = field(repr=False)
    ca_certificate: bytes
    server_certificate: bytes
    server_key: bytes = field(repr=False)


def new_access() -> Access:
    """A CA, one certificate for 127.0.0.1 and localhost, and a random password."""
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca = _certificate("netaudit lab CA", "netaudit lab CA", ca_key.public_key(), ca_key, is_ca=True)
    certificate = _certificate("localhost", "netaudit lab CA", key.public_key(), ca_key, is_ca=False)
    return Access(
        user=USER,
        password=secrets.token_urlsafe(18),
        ca_certificate=ca.public_bytes(serialization.Encoding.PEM),
        server_certificate=certificate.public_bytes(serialization.Encoding.PEM),
        server_key=key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )


def _certificate(
    name: str, issuer: str, public: ec.EllipticCurvePublicKey, signer: ec.EllipticCurvePrivateKey, *, is_ca: bool
) -> x509.Certificate:
    """A signed certificate."""
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + _LIFETIME)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=0 if is_ca else None), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )
    if not is_ca:
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(signer, hashes.SHA256())
