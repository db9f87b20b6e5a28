import type { Assembly } from '@voisol/contract/assembly'
import { SPREAD_WORDS } from '@voisol/contract/lots'
import { energy, money, plural } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Buyer = Assembly['buyers'][number]
type Producer = Assembly['producers'][number]
const name = (text: string) => <span className="block min-w-40 font-medium">{text}</span>

const buyers: Column<Buyer>[] = [
  { header: 'Participant', card: 'title', cell: (buyer) => name(buyer.name) },
  { header: 'Énergie locale', card: 'primary', align: 'end', cell: ({ wh }) => (wh === null ? '–' : energy(wh)) },
  { header: 'Facturé TTC', card: 'primary', align: 'end', cell: ({ billed }) => money(billed) },
  { header: 'Réglé', card: 'primary', align: 'end', cell: ({ settled }) => money(settled) },
  {
    header: 'Reste dû',
    card: 'primary',
    align: 'end',
    cell: ({ open, overdue }) => <span className={overdue > 0 ? 'font-medium text-danger' : ''}>{money(open)}</span>,
  },
  {
    header: 'Économie HT',
    card: 'primary',
    align: 'end',
    cell: ({ saved }) => (saved === null ? '–' : money(saved)),
  },
]
const producers: Column<Producer>[] = [
  { header: 'Producteur', card: 'title', cell: (producer) => name(producer.name) },
  { header: 'Énergie vendue', card: 'primary', align: 'end', cell: ({ wh }) => energy(wh) },
  { header: 'Ventes HT', align: 'end', cell: ({ net }) => money(net) },
  { header: 'TVA', align: 'end', cell: ({ tax }) => money(tax) },
  { header: 'Ventes TTC', card: 'primary', align: 'end', cell: ({ gross }) => money(gross) },
  { header: 'Frais TTC', card: 'primary', align: 'end', cell: ({ fees }) => money(fees) },
  { header: 'Reste', card: 'primary', align: 'end', cell: ({ earned }) => <strong>{money(earned)}</strong> },
]

export const Buyers = ({ pack }: { pack: Assembly }) => (
  <Card
    title="Qui a payé, qui a économisé"
    description="Facturé pour l’énergie de la période, avoirs déduits ; réglé et restant dû aujourd’hui. Un reste négatif est à rendre. L’économie est hors taxes, face au prix du fournisseur."
  >
    {pack.buyers.length > 0 ? (
      <Table label="Participants" rows={pack.buyers} columns={buyers} />
    ) : (
      <p className="text-body text-ink-soft">Personne n’a participé pendant cette période.</p>
    )}
  </Card>
)

export const Producers = ({ pack }: { pack: Assembly }) => (
  <Card
    title="Ce que la toiture a rapporté"
    description="Ventes facturées au nom de chaque producteur, moins les frais de l’organisateur."
  >
    {pack.producers.length > 0 ? (
      <Table label="Producteurs" rows={pack.producers} columns={producers} />
    ) : (
      <p className="text-body text-ink-soft">Aucune vente n’a été facturée pour cette période.</p>
    )}
  </Card>
)

/** Named here; each lot stands in the paper. */
export const Lots = ({ pack }: { pack: Assembly }) =>
  pack.lots.length > 0 && (
    <Card title="Charges par lot" description="Le dossier les donne lot par lot.">
      <ul className="divide-y divide-line">
        {pack.lots.map(({ buyer, by, lots, gross }) => (
          <li key={buyer.id} className="flex flex-wrap justify-between gap-x-4 py-2.5 text-body first:pt-0 last:pb-0">
            <span>{`${buyer.name}\u00a0: ${plural(lots.length, 'lot')}, ${SPREAD_WORDS[by].toLowerCase()}`}</span>
            <span className="tabular">{money(gross)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
