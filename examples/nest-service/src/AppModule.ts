import { type Caller } from "@lastro/domain/access"
import {
  Body,
  Controller,
  type DynamicModule,
  Get,
  Inject,
  Module,
  type OnApplicationShutdown,
  Param,
  Post,
  UseGuards
} from "@nestjs/common"
import { Database } from "./Database.ts"
import { type NewOrder, OrderService } from "./OrderService.ts"
import { SignedIn, SignInGuard } from "./SignInGuard.ts"

@Controller("orders")
@UseGuards(SignInGuard)
class OrderController {
  constructor(@Inject(OrderService) private readonly orders: OrderService) {}

  @Post()
  place(@SignedIn() caller: Caller, @Body() order: NewOrder) {
    return this.orders.place(caller, order)
  }

  @Get(":id/status")
  status(@SignedIn() caller: Caller, @Param("id") id: string) {
    return this.orders.status(caller, id)
  }
}

/** The service of the shop. */
@Module({})
export class AppModule implements OnApplicationShutdown {
  constructor(@Inject(Database) private readonly database: Database) {}

  onApplicationShutdown(): Promise<void> {
    return this.database.close()
  }

  static over(url: string): DynamicModule {
    return {
      module: AppModule,
      controllers: [OrderController],
      providers: [{ provide: Database, useFactory: () => Database.open(url) }, OrderService, SignInGuard]
    }
  }
}
