import type { Attachment } from '@voisol/contract/support'
import type { SupportMessage } from '@voisol/contract/support-desk'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { files, ticketFiles, ticketMessages, tickets } from '../../../db/schema/index.ts'

type TicketRef = { companyId: number; id: string }

async function loadAttachmentsByMessage(
  db: Db,
  companyId: number,
  messageIds: string[],
): Promise<Map<string, Attachment[]>> {
  const found = new Map<string, Attachment[]>()
  if (!messageIds.length) return found
  const rows = await db
    .select({ messageId: ticketFiles.messageId, id: ticketFiles.id, file: files })
    .from(ticketFiles)
    .innerJoin(files, and(eq(files.companyId, ticketFiles.companyId), eq(files.id, ticketFiles.fileId)))
    .where(and(eq(ticketFiles.companyId, companyId), inArray(ticketFiles.messageId, messageIds)))
    .orderBy(asc(ticketFiles.createdAt), asc(ticketFiles.id))
  for (const { messageId, id, file } of rows) {
    const { name, mediaType, size } = file
    found.set(messageId ?? '', [...(found.get(messageId ?? '') ?? []), { id, name, mediaType, size }])
  }
  return found
}

/** The messages of a ticket in their order; with those that wait to be let in, for the desk alone. */
export async function listTicketMessages(
  db: Db,
  { companyId, id }: TicketRef,
  { held }: { held: boolean },
): Promise<SupportMessage[]> {
  const rows = await db
    .select({ message: ticketMessages, fromTicket: tickets.number })
    .from(ticketMessages)
    .leftJoin(tickets, and(eq(tickets.companyId, ticketMessages.companyId), eq(tickets.id, ticketMessages.writtenIn)))
    .where(
      and(
        eq(ticketMessages.companyId, companyId),
        eq(ticketMessages.ticketId, id),
        held ? undefined : isNull(ticketMessages.heldFrom),
      ),
    )
    .orderBy(asc(ticketMessages.createdAt), asc(ticketMessages.id))
  const attached = await loadAttachmentsByMessage(
    db,
    companyId,
    rows.map(({ message }) => message.id),
  )
  return rows.map(({ message, fromTicket }) => ({
    id: message.id,
    side: message.side,
    author: message.author,
    body: message.body,
    source: message.source,
    heldFrom: message.heldFrom,
    fromTicket,
    files: attached.get(message.id) ?? [],
    createdAt: message.createdAt.toISOString(),
  }))
}
