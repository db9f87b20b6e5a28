import { energy } from '../../../lib/format.ts'
import { Headline } from '../../../ui/stack/headline.tsx'
import { localPart, surplusPart } from '../../../ui/stack/parts.ts'
import { rate } from '../words.tsx'
import type { Row } from './model.ts'

/** All operations together, in the one figure that says how well the sun is used. */
export function AllFigures({ rows }: { rows: Row[] }) {
  const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0)
  const [produced, shared, surplus, consumed] = [
    sum((row) => row.produced),
    sum((row) => row.shared),
    sum((row) => row.surplus),
    sum((row) => row.consumed),
  ]
  const whole = shared + surplus
  return (
    <Headline
      label="Autoconsommation, toutes opérations"
      figure={rate(whole > 0 ? shared / whole : null)}
      sentence={
        produced > 0
          ? `Vos opérations ont produit ${energy(produced)}. Les participants en ont consommé ${energy(shared)}, ce qui couvre ${rate(consumed > 0 ? shared / consumed : null)} de leurs besoins.`
          : 'Aucune production n’a été relevée sur cette période.'
      }
      parts={[localPart(shared, 'Partagé'), surplusPart(surplus)]}
    />
  )
}
