import { can } from '@voisol/contract/permissions'
import { and, eq, or, sql } from 'drizzle-orm'
import { type Source, textOf } from '../../../core/search.ts'
import { documents, files, operations, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { documentScope } from './scope.ts'

/** Its own words, then the name of its file where that says more. */
const text = sql<string>`${textOf(documents)} || ' ' || search_key(${files.name})`
const PLACES = { operation: '/acc-operations', project: '/projects' }

/** A document is read on the screen of what it belongs to: without that, not at all. */
const readable = (actor: Actor) =>
  or(
    can(actor, 'operations.read') ? eq(documents.ownerKind, 'operation') : undefined,
    can(actor, 'projects.read') ? eq(documents.ownerKind, 'project') : undefined,
  ) ?? sql`false`

const owned = (of: typeof operations | typeof projects, kind: keyof typeof PLACES) =>
  and(eq(of.companyId, documents.companyId), eq(of.id, documents.ownerId), eq(documents.ownerKind, kind))

export const searchDocuments: Source = async (db, actor, look) => {
  const rows = await db
    .select({
      id: documents.id,
      label: documents.label,
      kind: sql<keyof typeof PLACES>`${documents.ownerKind}`,
      ownerId: documents.ownerId,
      owner: sql<string>`coalesce(${operations.name}, ${projects.name}, '')`,
      text,
    })
    .from(documents)
    .innerJoin(files, and(eq(files.companyId, documents.companyId), eq(files.id, documents.fileId)))
    .leftJoin(operations, owned(operations, 'operation'))
    .leftJoin(projects, owned(projects, 'project'))
    .where(and(documentScope(actor), readable(actor), look.holds(text)))
    .orderBy(look.rank(text), documents.label, documents.id)
    .limit(look.most)
  return rows.map(({ id, label, kind, ownerId, owner, text: words }) => ({
    kind: 'file',
    id,
    title: label,
    detail: owner,
    to: `${PLACES[kind]}/${ownerId}?onglet=documents`,
    text: words,
  }))
}
