import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A certificate and its key, in PEM. */
interface Issued {
  readonly certificate: string
  readonly key: string
}

/** A certificate authority for tests, in a folder of its own. */
export interface Authority {
  /** Returns the path of a file in the folder. */
  readonly path: (file: string) => string
  /** Issues a certificate and stores it in `NAME.crt` and `NAME.key`. Negative `days`: the certificate has expired. */
  readonly issue: (name: string, options: { subject: string; host?: string; days?: number }) => Issued
}

const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

/** Makes a certificate authority with the file `ca.crt`, and `other.crt` of another one. The folder is removed with the scope. */
export const openAuthority = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "lastro-authority-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder): Authority => {
    const path = (file: string) => join(folder, file)
    const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
    for (const name of ["ca", "other"]) {
      openssl(
        "req",
        "-x509",
        ...key,
        "-keyout",
        `${name}.key`,
        "-out",
        `${name}.crt`,
        "-days",
        "2",
        "-subj",
        `/CN=${name}`
      )
    }
    return {
      path,
      issue: (name, { days = 2, host, subject }) => {
        const [request, certificate, extensions] = [`${name}.csr`, `${name}.crt`, `${name}.ext`]
        openssl("req", ...key, "-keyout", `${name}.key`, "-out", request, "-subj", `/CN=${subject}`)
        writeFileSync(path(extensions), host === undefined ? "" : `subjectAltName=DNS:${host}`)
        const signing = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", String(days)]
        openssl("x509", "-req", "-in", request, "-out", certificate, "-extfile", extensions, ...signing)
        return {
          certificate: readFileSync(path(certificate), "utf8"),
          key: readFileSync(path(`${name}.key`), "utf8")
        }
      }
    }
  }
)
