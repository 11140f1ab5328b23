import { type ApplicationId } from "@lastro/domain/values"

/**
 * The stored facts of an application cannot be read, because it has no quote. A use case that reads the application
 * dies with this error.
 */
export class ApplicationUnreadable extends Error {
  override readonly name = "ApplicationUnreadable"
  readonly application_id: ApplicationId

  constructor(application_id: ApplicationId) {
    super(
      `The stored facts of application ${application_id} cannot be read. Run lastro check to list every broken record, and restore the facts from a backup.`
    )
    this.application_id = application_id
  }
}
