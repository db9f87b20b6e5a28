import { AppError } from '../../../http/errors.ts'
import { endingYear, exportFile, fecOf, findEntity, settingsOf } from '../../money/books/books.ts'
import { sellersOf } from '../../money/parties/parties.ts'
import { type Content, draft } from './draft.ts'
import type { Packed, Packing, Shipment } from './shipments.ts'

/** The calendar month before. */
export const monthBefore = (today: string) =>
  Temporal.PlainYearMonth.from(today.slice(0, 7)).subtract({ months: 1 }).toString()

export const monthAfter = (month: string) => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()

type Entity = Awaited<ReturnType<typeof findEntity>>
type File = { name: string; type: string; content: Content }

/** One of each entity of the books; one that has nothing to give says why, and holds up no other. */
async function* each(
  { deps, actor, folder }: Packing,
  make: (entity: Entity) => Promise<File>,
): AsyncGenerator<Packed> {
  for (const { id, name } of await sellersOf(deps.db, actor.companyId)) {
    try {
      const file = await make(await findEntity(deps.db, actor.companyId, id))
      yield { parcel: await draft(folder, file.name, file.type, file.content) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      yield { skip: `${name}\u00a0: ${error.message}` }
    }
  }
}

/** By what it is known to its accountant, and by nothing that a file system could take amiss. */
const entityName = ({ siren, id }: Entity) => siren || id.slice(0, 8)

export const bookEntries: Shipment = {
  id: 'book-entries',
  label: 'Écritures du mois passé (CSV)',
  about: 'Les écritures comptables de chaque entité, au format générique.',
  permission: 'books.read',
  pack: (packing) =>
    each(packing, async (entity) => {
      const month = monthBefore(packing.today)
      const file = await exportFile(packing.deps.db, entity, { from: month, to: month, profile: 'generic' })
      return { ...file, name: `ecritures-${entityName(entity)}-${month}.csv` }
    }),
}

export const bookFec: Shipment = {
  id: 'book-fec',
  label: 'Fichier des écritures comptables (FEC)',
  about: 'Le FEC de l’exercice en cours de chaque entité, jusqu’au dernier mois verrouillé.',
  permission: 'books.read',
  pack: (packing) =>
    each(packing, async (entity) => {
      const { db } = packing.deps
      const { yearStart } = await settingsOf(db, entity)
      return fecOf(db, entity, endingYear(monthBefore(packing.today), yearStart), 'utf-8')
    }),
}
