import { Readable } from 'node:stream'
import type { ArchiveQuery } from '@voisol/contract/invoices'
import type { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { createZipStream, type ZipEntryInput } from '../../../files/zip.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/file-name.ts'
import { findInvoiceById } from './find.ts'
import { loadMatchingInvoices } from './list.ts'
import { buildDocumentFileName, loadDocumentFile } from './papers.ts'

const MAX_ARCHIVED_DOCUMENTS = 2000

/** Streams the files one by one, so that a year of documents is never in memory at once. */
async function* streamDocumentFiles(deps: Deps, companyId: number, ids: string[]): AsyncGenerator<ZipEntryInput> {
  for (const id of ids) {
    const invoice = await findInvoiceById(deps.db, companyId, id)
    if (!invoice) continue
    yield {
      name: buildDocumentFileName(invoice.snapshot, 'pdf'),
      content: await loadDocumentFile(deps, invoice, 'pdf'),
      on: invoice.issuedOn,
    }
  }
}

export async function buildInvoiceArchive(deps: Deps, actor: Actor, query: z.output<typeof ArchiveQuery>) {
  const ids = (await loadMatchingInvoices(deps.db, actor, query)).map(({ id }) => id)
  if (!ids.length)
    throw new AppError('invalid', {
      message: 'Aucun document ne correspond à ces filtres\u00a0: il n’y a rien à télécharger.',
    })
  if (ids.length > MAX_ARCHIVED_DOCUMENTS)
    throw new AppError('invalid', {
      message: `Une archive contient ${MAX_ARCHIVED_DOCUMENTS.toLocaleString('fr-FR')} documents au plus, et ces filtres en donnent ${ids.length.toLocaleString('fr-FR')}\u00a0: choisissez un mois ou une opération.`,
    })
  return {
    name: buildDatedFileName('factures', 'zip'),
    content: Readable.from(createZipStream(streamDocumentFiles(deps, actor.companyId, ids))),
  }
}
