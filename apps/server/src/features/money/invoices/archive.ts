import { Readable } from 'node:stream'
import type { ArchiveQuery } from '@voisol/contract/invoices'
import type { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { type Entry, zipOf } from '../../../files/zip.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { datedName } from '../../../http/file-name.ts'
import { invoiceOf } from './find.ts'
import { standingOf } from './list.ts'
import { paperName, paperOf } from './papers.ts'

const MOST = 2000

/** One after the other as they are read: a year of documents is never in memory at once. */
async function* papersOf(deps: Deps, companyId: number, ids: string[]): AsyncGenerator<Entry> {
  for (const id of ids) {
    const invoice = await invoiceOf(deps.db, companyId, id)
    if (!invoice) continue
    yield {
      name: paperName(invoice.snapshot, 'pdf'),
      content: await paperOf(deps, invoice, 'pdf'),
      on: invoice.issuedOn,
    }
  }
}

export async function archiveOf(deps: Deps, actor: Actor, query: z.output<typeof ArchiveQuery>) {
  const ids = (await standingOf(deps.db, actor, query)).map(({ id }) => id)
  if (!ids.length)
    throw new AppError('invalid', {
      message: 'Aucun document ne correspond à ces filtres\u00a0: il n’y a rien à télécharger.',
    })
  if (ids.length > MOST)
    throw new AppError('invalid', {
      message: `Une archive contient ${MOST.toLocaleString('fr-FR')} documents au plus, et ces filtres en donnent ${ids.length.toLocaleString('fr-FR')}\u00a0: choisissez un mois ou une opération.`,
    })
  return { name: datedName('factures', 'zip'), content: Readable.from(zipOf(papersOf(deps, actor.companyId, ids))) }
}
