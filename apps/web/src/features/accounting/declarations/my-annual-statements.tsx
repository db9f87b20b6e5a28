import { useQuery } from '@tanstack/react-query'
import { type Declaration, declarations } from '@voisol/contract/declarations'
import Download from 'lucide-react/icons/download'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { formatDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { downloadDeclaration } from './prepared-declarations.tsx'

/** The last version of each: an earlier one is the organiser's to keep. */
const keepLastVersions = (items: Declaration[]) =>
  [...Map.groupBy(items, ({ kind, whose, from }) => `${kind} ${whose} ${from}`).values()].flatMap((own) =>
    own.toSorted((a, b) => b.number - a.number).slice(0, 1),
  )

/** One's yearly statements; nothing before the first is made. */
export default function MyAnnualStatements() {
  const { data } = useQuery(query(declarations.list, { query: {} }))
  const items = keepLastVersions(data?.items ?? [])
  if (items.length === 0) return null
  return (
    <div className="mt-6">
      <Card title="Mes relevés annuels" description="Votre année, mois par mois, avec tous vos documents.">
        <ul className="grid gap-2">
          {items.map((item) => (
            <li key={item.id} className="flex flex-wrap items-center justify-between gap-3">
              <span>
                <span className="block font-medium">
                  {item.kind === 'producerYear' ? 'Ma production' : 'Ma consommation'} {item.from.slice(0, 4)}
                </span>
                <span className="block text-body text-ink-soft">
                  {item.whose}, préparé le {formatDate(item.at)}
                </span>
              </span>
              <Button
                variant="secondary"
                icon={<Download aria-hidden="true" />}
                aria-label={`Télécharger ${item.file}`}
                onClick={() => void downloadDeclaration(item)}
              >
                Télécharger
              </Button>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
