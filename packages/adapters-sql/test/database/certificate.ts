/** A self-signed certificate for localhost, for tests only. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUBd+tyg91IPyAHB1TK4swywHX7EwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA1NTAxOFoYDzIxMjYxMDI5
MDU1MDE4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQkP2G80Hjo+exW4QwLZ+cpfvpLrmKgJndxqesSU5embfWyO2QpwT2B
kpb/D+lg/Y2OHohATcj9/JfOiCj51Ra1o2kwZzAdBgNVHQ4EFgQU73hiocITigxJ
lWwWN2DNYoUJN7swHwYDVR0jBBgwFoAU73hiocITigxJlWwWN2DNYoUJN7swDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgcL1NrxPejqZPX8sQAh/PEOjDwKTOSBUZIKs52WY4V64CIQDfW13ml0xN
cVgjeHiKUtA+maukXzlD9xQBdLk616CyaA==
-----END CERTIFICATE-----
`

/** The private key of the certificate. */
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3evPFoscgPW+92X2
wyiE+4a8oke4RmM7oH/jH8Rpkh+hRANCAAQkP2G80Hjo+exW4QwLZ+cpfvpLrmKg
JndxqesSU5embfWyO2QpwT2Bkpb/D+lg/Y2OHohATcj9/JfOiCj51Ra1
-----END PRIVATE KEY-----
`
