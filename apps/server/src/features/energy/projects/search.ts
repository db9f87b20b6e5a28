import { and } from 'drizzle-orm'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { projects } from '../../../db/schema/index.ts'
import { projectScope } from './scope.ts'

const searchText = searchTextColumn(projects)

export const searchProjects: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({ id: projects.id, name: projects.name, city: projects.city, text: searchText })
    .from(projects)
    .where(and(projectScope(actor), look.holds(searchText)))
    .orderBy(look.rank(searchText), projects.name, projects.id)
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
