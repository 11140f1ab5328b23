// The operations of the benchmark, written as in the documentation of NestJS and Prisma. Nothing is tuned: each request
// verifies its token, reads its caller and its records one after another, and counts all matches.
import {
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  type OnModuleDestroy,
  type OnModuleInit,
  Param,
  Query,
  UnauthorizedException,
  UseGuards
} from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { PrismaPg } from "@prisma/adapter-pg"
import { createLocalJWKSet, jwtVerify } from "jose"
import { PrismaClient } from "prisma-generated"
import "reflect-metadata"
import { pageEnd, pageOf, type Query as ListQuery } from "../../peer/pages.ts"
import { config } from "../../peer/setUp.ts"

const groups = new Map(config.groups.map((group) => [group.group_id, group]))
const keys = createLocalJWKSet(config.keys)

/** The authenticated user of a request. */
interface Caller {
  readonly partner_id: string
  readonly permissions: ReadonlySet<string>
}

@Injectable()
class PrismaService extends PrismaClient implements OnModuleInit, OnModuleDestroy {
  constructor() {
    super({ adapter: new PrismaPg({ connectionString: config.database, max: config.connections }) })
  }

  async onModuleInit() {
    await this.$connect()
  }

  async onModuleDestroy() {
    await this.$disconnect()
  }

  /** Returns the ids of a partner and its ancestors, and whether all of them are active. */
  async ancestors(id: string) {
    const rows = await this.$queryRaw<Array<{ readonly id: string; readonly status: string }>>`
      with recursive above as (
        select id, parent_id, status from partner where id = ${id}::uuid
        union all
        select item.id, item.parent_id, item.status from partner item join above on item.id = above.parent_id
      )
      select id, status from above`
    return { ids: rows.map(({ id }) => id), active: rows.every(({ status }) => status === "active") }
  }
}

@Injectable()
class AuthGuard implements CanActivate {
  constructor(@Inject(PrismaService) private readonly prisma: PrismaService) {}

  async canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest()
    const [type, token = ""] = request.headers.authorization?.split(" ") ?? []
    if (type !== "Bearer") throw new UnauthorizedException()
    const options = { issuer: config.issuer, audience: config.issuer, algorithms: ["ES256"] }
    const { payload } = await jwtVerify(token, keys, options).catch(() => {
      throw new UnauthorizedException()
    })
    const user = await this.prisma.user.findFirst({
      where: { id: payload.sub ?? "", status: "ACTIVE", deleted_at: null }
    })
    if (user === null || user.credentials_version !== payload["credentials_version"]) throw new UnauthorizedException()
    if (!(await this.prisma.ancestors(user.partner_id)).active) throw new UnauthorizedException()
    request.caller = {
      partner_id: user.partner_id,
      permissions: new Set(groups.get(user.group_id)?.permissions)
    }
    return true
  }
}

/** The caller of a request. Rejects a caller without the permission. */
const CallerWith = createParamDecorator((permission: string, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest()
  if (!caller.permissions.has(permission)) throw new ForbiddenException()
  return caller
})

@Injectable()
class RecordsService {
  constructor(@Inject(PrismaService) private readonly prisma: PrismaService) {}

  async partner({ partner_id }: Caller, id: string) {
    const found = await this.prisma.partner.findFirst({ where: { id, deleted_at: null } })
    if (found === null) throw new NotFoundException()
    const { ids } = await this.prisma.ancestors(id)
    if (!ids.includes(partner_id)) throw new ForbiddenException()
    const { address, bank_account, document_number, email, metadata, name, parent_id, person_type, phone, pix } = found
    return {
      ...{ partner_id: id, name, status: found.status, email, phone, pix, address, document_number, person_type },
      ...{ created_at: found.created_at.toISOString(), parent_id, bank_account },
      ...(Object.keys(metadata as object).length === 0 ? {} : { metadata })
    }
  }

  async users(caller: Caller, query: ListQuery) {
    const page = pageOf(query, columns)
    const sorts = page.sort.map(({ direction, property }) => ({ [columns[property] ?? "created_at"]: direction }))
    const orderBy = [...sorts, { id: page.sort.at(-1)?.direction ?? "asc" }]
    const { partner_id: top_id } = caller
    const regions = await this.prisma.subtreeRegion.findMany({ where: { top_id } })
    const partners = await this.prisma.subtreePartner.findMany({ where: { top_id } })
    const where = {
      OR: [
        { region_id: { in: regions.map(({ region_id }) => region_id) } },
        { partner_id: { in: partners.map(({ partner_id }) => partner_id) } }
      ],
      deleted_at: null
    }
    const [rows, count] = await Promise.all([
      this.prisma.user.findMany({ where, orderBy, skip: page.number * page.size, take: page.size }),
      this.prisma.user.count({ where })
    ])
    const content = rows.map((row) => {
      const { cpf, created_at, email, group_id, id, metadata, must_change_password, name, partner_id, phone, status } =
        row
      const group = groups.get(group_id)
      return {
        ...{ user_id: id, name, email, phone, cpf, status },
        group: { group_id, slug: group?.slug, label: group?.label },
        ...{ must_change_password, created_at, partner_id, metadata }
      }
    })
    return { content, ...pageEnd(page, count) }
  }
}

const columns: Readonly<Record<string, string>> = { created_at: "created_at", name: "name_folded" }

@Controller("api/v1")
@UseGuards(AuthGuard)
class RecordsController {
  constructor(@Inject(RecordsService) private readonly records: RecordsService) {}

  @Get("partners/:id")
  async partner(@CallerWith("partners:read") caller: Caller, @Param("id") id: string) {
    return { data: await this.records.partner(caller, id) }
  }

  @Get("users")
  users(@CallerWith("users:read") caller: Caller, @Query() query: ListQuery) {
    return this.records.users(caller, query)
  }
}

@Controller("health")
class HealthController {
  @Get("live")
  live() {
    return { status: "ok" }
  }
}

@Module({ controllers: [RecordsController, HealthController], providers: [PrismaService, RecordsService, AuthGuard] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false })
app.enableShutdownHooks()
await app.listen(config.port, "127.0.0.1")
