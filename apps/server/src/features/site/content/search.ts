import type { ContentKind } from '@voisol/contract/content'
import { can } from '@voisol/contract/permissions'
import { and, sql } from 'drizzle-orm'
import { type Look, type Source, textOf } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import { addressOf } from './address.ts'
import { isShown } from './published.ts'
import { ofSite } from './rows.ts'

const KINDS: Record<ContentKind, string> = {
  article: 'Actualité',
  webinar: 'Webinaire',
  'white-paper': 'Livre blanc',
  'case-study': 'Étude de cas',
  faq: 'Question fréquente',
  guide: 'Guide',
  page: 'Page du site',
}

/** Kept by the database beside each of the two. */
const TEXTS = { draft: textOf(contents), live: sql<string>`${contents}.search_live` }

/** Of what readers see, or of what the desk is writing. */
function read(db: Db, look: Look, of: 'live' | 'draft') {
  const part = (name: string) => sql<string>`coalesce(${contents[of]}->>${sql.raw(`'${name}'`)}, '')`
  const text = TEXTS[of]
  return db
    .select({
      id: contents.id,
      kind: sql<ContentKind>`${contents.kind}`,
      slug: contents.slug,
      title: part('title'),
      category: part('category'),
      text,
    })
    .from(contents)
    .where(and(of === 'live' ? isShown : ofSite, look.holds(text)))
    .orderBy(look.rank(text), contents.id)
    .limit(look.most)
}

/** The desk opens its texts to be written; everybody else reads what is published. */
export const searchContents: Source = async (db, actor, look) => {
  const writes = can(actor, 'content.read')
  const rows = await read(db, look, writes ? 'draft' : 'live')
  return rows.map(({ id, kind, slug, title, category, text }) => ({
    kind: 'article',
    id,
    title,
    detail: KINDS[kind],
    to: writes ? `/cms-admin?contenu=${id}` : addressOf(kind, category, slug),
    text,
  }))
}
