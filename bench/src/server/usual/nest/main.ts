// The operations of the benchmark, written as in the documentation of NestJS and Prisma. Nothing is tuned: each request
// verifies its token, reads its caller and its records one after another, and counts all matches.
import {
  Body,
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
  Patch,
  Query,
  UnauthorizedException,
  UseGuards
} from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { PrismaPg } from "@prisma/adapter-pg"
import { createLocalJWKSet, jwtVerify } from "jose"
import { Prisma, PrismaClient } from "prisma-generated"
import "reflect-metadata"
import { type Quote, statusFrom } from "../../peer/applicationStatus.ts"
import { fold } from "../../peer/listings.ts"
import { pageEnd, pageOf, type Query as ListQuery } from "../../peer/pages.ts"
import { patched } from "../../peer/partnerPatch.ts"
import { changedFields, mask, uuidv7 } from "../../peer/patchPartner.ts"
import { config } from "../../peer/setUp.ts"

const groups = new Map(config.groups.map((group) => [group.group_id, group]))
const keys = createLocalJWKSet(config.keys)

/** The authenticated user of a request. */
interface Caller {
  readonly user_id: string
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

  async checkInside({ partner_id }: Caller, id: string) {
    const { ids } = await this.ancestors(id)
    if (!ids.includes(partner_id)) throw new ForbiddenException()
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
      user_id: user.id,
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

const partnerFields = {
  id: true,
  name: true,
  status: true,
  email: true,
  phone: true,
  document_number: true,
  person_type: true,
  parent_id: true,
  created_at: true,
  metadata: true
} as const

@Injectable()
class RecordsService {
  constructor(@Inject(PrismaService) private readonly prisma: PrismaService) {}

  async partner(caller: Caller, id: string) {
    const found = await this.prisma.partner.findFirst({ where: { id, deleted_at: null } })
    if (found === null) throw new NotFoundException()
    await this.prisma.checkInside(caller, id)
    return shownPartner(found)
  }

  async patchPartner(caller: Caller, id: string, body: unknown) {
    return this.prisma.$transaction(async (tx) => {
      await tx.$queryRaw`select id from partner where id = ${id}::uuid for no key update`
      const found = await tx.partner.findFirst({ where: { id, deleted_at: null } })
      if (found === null) throw new NotFoundException()
      await this.prisma.checkInside(caller, id)
      const before = shownPartner(found)
      const after = patched({ metadata: {}, ...before }, body)
      const changed = changedFields({ metadata: {}, ...before }, { ...after })
      if (changed.length > 0) {
        const { address, bank_account, email, name, phone, pix } = after
        const json = (value: object | null) => value ?? Prisma.DbNull
        await tx.partner.update({
          where: { id },
          data: {
            ...{ name, name_folded: fold(name), email, email_folded: fold(email), phone },
            ...{ pix: json(pix), address: json(address), bank_account: json(bank_account) }
          }
        })
        await tx.audit.create({
          data: {
            ...{ id: uuidv7(), at: new Date(), actor: caller.user_id, action: "partner.update", subject_id: id },
            ...{ partner_id: id, before: mask(before), after: mask(after), changed, request_id: uuidv7() }
          }
        })
      }
      const { metadata, ...shown } = after
      return Object.keys(metadata).length === 0 ? shown : after
    })
  }

  /** Returns the condition that a record belongs to the subtree of a caller. */
  async within({ partner_id: top_id }: Caller, owner: "id" | "partner_id") {
    const regions = await this.prisma.subtreeRegion.findMany({ where: { top_id } })
    const partners = await this.prisma.subtreePartner.findMany({ where: { top_id } })
    return {
      OR: [
        { region_id: { in: regions.map(({ region_id }) => region_id) } },
        { [owner]: { in: partners.map(({ partner_id }) => partner_id) } }
      ]
    }
  }

  async partners(caller: Caller, query: ListQuery) {
    const { orderBy, page, skip, take } = paging(query)
    const where = { ...await this.within(caller, "id"), deleted_at: null }
    const [rows, count] = await Promise.all([
      this.prisma.partner.findMany({ where, orderBy, skip, take, select: partnerFields }),
      this.prisma.partner.count({ where })
    ])
    return { content: rows.map(({ id, ...row }) => ({ partner_id: id, ...row })), ...pageEnd(page, count) }
  }

  async users(caller: Caller, query: ListQuery) {
    const { orderBy, page, skip, take } = paging(query)
    const name = query["full_name"]
    const where = {
      ...await this.within(caller, "partner_id"),
      deleted_at: null,
      ...(typeof name === "string" ? { name_folded: { contains: fold(name) } } : {})
    }
    const [rows, count] = await Promise.all([
      this.prisma.user.findMany({ where, orderBy, skip, take }),
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

  async proposals(caller: Caller, query: ListQuery) {
    const { orderBy, page, skip, take } = paging(query)
    const where = await this.within(caller, "partner_id")
    const [rows, count] = await Promise.all([
      this.prisma.proposal.findMany({ where, orderBy, skip, take, select: { list_item: true } }),
      this.prisma.proposal.count({ where })
    ])
    return { content: rows.map(({ list_item }) => list_item), ...pageEnd(page, count) }
  }

  async status(caller: Caller, id: string) {
    const found = await this.prisma.application.findUnique({
      where: { id },
      include: { quotes: { orderBy: { number: "asc" } }, proposal: true }
    })
    if (found === null) throw new NotFoundException()
    await this.prisma.checkInside(caller, found.partner_id)
    const { cancellation, kyc, proposal, quotes, updated_at, version } = found
    const signature_url = (proposal?.facts as { readonly signature_url?: string } | undefined)?.signature_url ?? null
    return statusFrom(id, {
      ...{ kyc: kyc as Record<string, unknown> | null, version, updated_at: updated_at.toISOString() },
      quotes: quotes.map(({ facts }) => facts as unknown as Quote),
      ...{ proposal_id: proposal?.id ?? null, proposal_status: proposal?.status ?? null, signature_url },
      is_cancelled: cancellation !== null
    })
  }
}

const columns: Readonly<Record<string, string>> = { created_at: "created_at", name: "name_folded" }

const paging = (query: ListQuery) => {
  const page = pageOf(query, columns)
  const sorts = page.sort.map(({ direction, property }) => ({ [columns[property] ?? "created_at"]: direction }))
  return {
    page,
    skip: page.number * page.size,
    take: page.size,
    orderBy: [...sorts, { id: page.sort.at(-1)?.direction ?? "asc" }]
  }
}

const shownPartner = (row: Prisma.PartnerGetPayload<object>) => {
  const { address, bank_account, document_number, email, id, metadata, name, parent_id, person_type, phone, pix } = row
  return {
    ...{ partner_id: id, name, status: row.status, email, phone, pix, address, document_number, person_type },
    ...{ created_at: row.created_at.toISOString(), parent_id, bank_account },
    ...(Object.keys(metadata as object).length === 0 ? {} : { metadata })
  }
}

@Controller("api/v1")
@UseGuards(AuthGuard)
class RecordsController {
  constructor(@Inject(RecordsService) private readonly records: RecordsService) {}

  @Get("partners/:id")
  async partner(@CallerWith("partners:read") caller: Caller, @Param("id") id: string) {
    return { data: await this.records.partner(caller, id) }
  }

  @Patch("partners/:id")
  async patchPartner(@CallerWith("partners:write") caller: Caller, @Param("id") id: string, @Body() body: unknown) {
    return { data: await this.records.patchPartner(caller, id, body) }
  }

  @Get("partners")
  partners(@CallerWith("partners:read") caller: Caller, @Query() query: ListQuery) {
    return this.records.partners(caller, query)
  }

  @Get("users")
  users(@CallerWith("users:read") caller: Caller, @Query() query: ListQuery) {
    return this.records.users(caller, query)
  }

  @Get("proposals")
  proposals(@CallerWith("proposals:read") caller: Caller, @Query() query: ListQuery) {
    return this.records.proposals(caller, query)
  }

  @Get("fgts/applications/:id/status")
  status(@CallerWith("fgts:read") caller: Caller, @Param("id") id: string) {
    return this.records.status(caller, id)
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
