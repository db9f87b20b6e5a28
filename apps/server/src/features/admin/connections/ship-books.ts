import type { Permission } from '@voisol/contract/permissions'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { OutgoingFile } from '../../../integrations/connections/connector.ts'
import {
  buildExportFile,
  exportFec,
  getEndingYear,
  loadBookSettings,
  loadEntity,
} from '../../accounting/books/index.ts'
import { loadSellers } from '../../billing/parties/index.ts'
import { type OutgoingFileContent, writeOutgoingFile } from './deliver-file.ts'

/** `skip` is the reason, for the log, why there is no file. */
export type PackResult = { parcel: OutgoingFile } | { skip: string }

export type PackContext = { deps: Deps; actor: Actor; folder: string; today: string }

/** Something that can be sent: the permissions needed to read it, and how its file is built. */
export type Shipment = {
  id: string
  label: string
  about: string
  permission: Permission
  pack(packing: PackContext): AsyncIterable<PackResult>
}

/** The previous calendar month. */
export const getPreviousMonth = (today: string) =>
  Temporal.PlainYearMonth.from(today.slice(0, 7)).subtract({ months: 1 }).toString()

export const getNextMonth = (month: string) => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()

type Entity = Awaited<ReturnType<typeof loadEntity>>
type BookFile = { name: string; type: string; content: OutgoingFileContent }

/** One file per accounting entity; an entity without data gives a reason and does not block the others. */
async function* packEachEntity(
  { deps, actor, folder }: PackContext,
  make: (entity: Entity) => Promise<BookFile>,
): AsyncGenerator<PackResult> {
  for (const { id, name } of await loadSellers(deps.db, actor.companyId)) {
    try {
      const file = await make(await loadEntity(deps.db, actor.companyId, id))
      yield { parcel: await writeOutgoingFile(folder, file.name, file.type, file.content) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      yield { skip: `${name}\u00a0: ${error.message}` }
    }
  }
}

/** The SIREN, which the accountant knows and which is safe in a file name. */
const getEntityFileName = ({ siren, id }: Entity) => siren || id.slice(0, 8)

export const bookEntriesShipment: Shipment = {
  id: 'book-entries',
  label: 'Écritures du mois passé (CSV)',
  about: 'Les écritures comptables de chaque entité, au format générique.',
  permission: 'books.read',
  pack: (packing) =>
    packEachEntity(packing, async (entity) => {
      const month = getPreviousMonth(packing.today)
      const file = await buildExportFile(packing.deps.db, entity, { from: month, to: month, profile: 'generic' })
      return { ...file, name: `ecritures-${getEntityFileName(entity)}-${month}.csv` }
    }),
}

export const fecShipment: Shipment = {
  id: 'book-fec',
  label: 'Fichier des écritures comptables (FEC)',
  about: 'Le FEC de l’exercice en cours de chaque entité, jusqu’au dernier mois verrouillé.',
  permission: 'books.read',
  pack: (packing) =>
    packEachEntity(packing, async (entity) => {
      const { db } = packing.deps
      const { yearStart } = await loadBookSettings(db, entity)
      return exportFec(db, entity, getEndingYear(getPreviousMonth(packing.today), yearStart), 'utf-8')
    }),
}
