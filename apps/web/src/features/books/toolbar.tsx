import type { BookEntity } from '@voisol/contract/book-views'
import type { ReactNode } from 'react'
import { Select } from '../../ui/select.tsx'

type Props = {
  entities: BookEntity[]
  entity: BookEntity
  years: number[]
  year: number
  choose: (change: Record<string, string | undefined>) => void
  children?: ReactNode
}

/** Whose books and which year, and what can be taken away. */
export const BookToolbar = ({ entities, entity, years, year, choose, children }: Props) => (
  <div className="flex flex-wrap items-center gap-3">
    <Select
      aria-label="Entité"
      className="sm:w-72"
      value={entity.id}
      options={entities.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={({ target }) => choose({ entite: target.value, exercice: undefined, mois: undefined })}
    />
    <Select
      aria-label="Exercice"
      className="sm:w-44"
      value={String(year)}
      options={years.map((one) => ({ value: String(one), label: `Exercice ${one}` }))}
      onChange={({ target }) => choose({ exercice: target.value, mois: undefined })}
    />
    {children && <div className="flex flex-wrap gap-2 sm:ml-auto">{children}</div>}
  </div>
)
