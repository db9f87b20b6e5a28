import { hasPermission } from '@voisol/contract/permissions'
import { and, eq, or, sql } from 'drizzle-orm'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { documents, files, operations, projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { documentScope } from './scope.ts'

/** The document's own text, then its file name. */
const searchText = sql<string>`${searchTextColumn(documents)} || ' ' || search_key(${files.name})`
const OWNER_PATHS = { operation: '/acc-operations', project: '/projects' }

/** A document is only found by those who may open the page of its operation or project. */
const isReadableOwnerKind = (actor: Actor) =>
  or(
    hasPermission(actor, 'operations.read') ? eq(documents.ownerKind, 'operation') : undefined,
    hasPermission(actor, 'projects.read') ? eq(documents.ownerKind, 'project') : undefined,
  ) ?? sql`false`

const joinOwner = (of: typeof operations | typeof projects, kind: keyof typeof OWNER_PATHS) =>
  and(eq(of.companyId, documents.companyId), eq(of.id, documents.ownerId), eq(documents.ownerKind, kind))

export const searchDocuments: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({
      id: documents.id,
      label: documents.label,
      kind: sql<keyof typeof OWNER_PATHS>`${documents.ownerKind}`,
      ownerId: documents.ownerId,
      owner: sql<string>`coalesce(${operations.name}, ${projects.name}, '')`,
      text: searchText,
    })
    .from(documents)
    .innerJoin(files, and(eq(files.companyId, documents.companyId), eq(files.id, documents.fileId)))
    .leftJoin(operations, joinOwner(operations, 'operation'))
    .leftJoin(projects, joinOwner(projects, 'project'))
    .where(and(documentScope(actor), isReadableOwnerKind(actor), look.holds(searchText)))
    .orderBy(look.rank(searchText), documents.label, documents.id)
    .limit(look.most)
  return rows.map(({ id, label, kind, ownerId, owner, text: words }) => ({
    kind: 'file',
    id,
    title: label,
    detail: owner,
    to: `${OWNER_PATHS[kind]}/${ownerId}?onglet=documents`,
    text: words,
  }))
}
