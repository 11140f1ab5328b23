import { type Caller } from "@lastro/domain/access"
import { type HostPrincipal } from "@lastro/domain/identity"
import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException
} from "@nestjs/common"
import { Database } from "./Database.ts"
import { valueOf } from "./valueOf.ts"

interface SignedInRequest {
  readonly headers: { readonly authorization?: string }
  caller?: Caller
}

interface Employee {
  readonly employee_id: string
  readonly role: string
  readonly partner_id: string
}

/** The roles of the shop, each with the Lastro group that has its permissions. */
const groups: ReadonlyMap<string, HostPrincipal["group"]> = new Map([
  ["owner", "admin"],
  ["clerk", "operator"],
  ["auditor", "viewer"]
])

/** Signs in the employees of the shop with the shop's own sessions. Lastro has no records of the employees. */
@Injectable()
export class SignInGuard implements CanActivate {
  constructor(@Inject(Database) private readonly database: Database) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedInRequest>()
    const session = request.headers.authorization?.replace(/^Bearer /, "")
    const { rows: [employee] } = await this.database.pool.query<Employee>(
      "select employee_id, role, partner_id from employee where session = $1",
      [session]
    )
    const group = groups.get(employee?.role ?? "")
    if (employee === undefined || group === undefined) throw new UnauthorizedException()
    // Checks that the partner and its ancestors are active.
    const { employee_id: subject, partner_id } = employee
    request.caller = valueOf(await this.database.lastro.callerAt(partner_id, { subject, group }))
    return true
  }
}

/** The caller of a request that SignInGuard has accepted. */
export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<SignedInRequest>().caller
)
