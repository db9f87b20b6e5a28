import { and } from 'drizzle-orm'
import { type Source, textOf } from '../../../core/search.ts'
import { projects } from '../../../db/schema/index.ts'
import { projectScope } from './scope.ts'

const text = textOf(projects)

export const searchProjects: Source = async (db, actor, look) => {
  const rows = await db
    .select({ id: projects.id, name: projects.name, city: projects.city, text })
    .from(projects)
    .where(and(projectScope(actor), look.holds(text)))
    .orderBy(look.rank(text), projects.name, projects.id)
    .limit(look.most)
  return rows.map(({ id, name, city, text: words }) => ({
    kind: 'project',
    id,
    title: name,
    detail: city,
    to: `/projects/${id}`,
    text: words,
  }))
}
