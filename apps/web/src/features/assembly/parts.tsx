import type { Assembly } from '@voisol/contract/assembly'
import { SPREAD_LABELS } from '@voisol/contract/lots'
import { formatCount, formatEnergy, formatMoney } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Buyer = Assembly['buyers'][number]
type Producer = Assembly['producers'][number]
const renderName = (text: string) => <span className="block min-w-40 font-medium">{text}</span>

const buyerColumns: Column<Buyer>[] = [
  { header: 'Participant', card: 'title', cell: (buyer) => renderName(buyer.name) },
  { header: 'Énergie locale', card: 'primary', align: 'end', cell: ({ wh }) => (wh === null ? '–' : formatEnergy(wh)) },
  { header: 'Facturé TTC', card: 'primary', align: 'end', cell: ({ billed }) => formatMoney(billed) },
  { header: 'Réglé', card: 'primary', align: 'end', cell: ({ settled }) => formatMoney(settled) },
  {
    header: 'Reste dû',
    card: 'primary',
    align: 'end',
    cell: ({ open, overdue }) => (
      <span className={overdue > 0 ? 'font-medium text-danger' : ''}>{formatMoney(open)}</span>
    ),
  },
  {
    header: 'Économie HT',
    card: 'primary',
    align: 'end',
    cell: ({ saved }) => (saved === null ? '–' : formatMoney(saved)),
  },
]
const producerColumns: Column<Producer>[] = [
  { header: 'Producteur', card: 'title', cell: (producer) => renderName(producer.name) },
  { header: 'Énergie vendue', card: 'primary', align: 'end', cell: ({ wh }) => formatEnergy(wh) },
  { header: 'Ventes HT', align: 'end', cell: ({ net }) => formatMoney(net) },
  { header: 'TVA', align: 'end', cell: ({ tax }) => formatMoney(tax) },
  { header: 'Ventes TTC', card: 'primary', align: 'end', cell: ({ gross }) => formatMoney(gross) },
  { header: 'Frais TTC', card: 'primary', align: 'end', cell: ({ fees }) => formatMoney(fees) },
  { header: 'Reste', card: 'primary', align: 'end', cell: ({ earned }) => <strong>{formatMoney(earned)}</strong> },
]

export const BuyerTable = ({ pack }: { pack: Assembly }) => (
  <Card
    title="Qui a payé, qui a économisé"
    description="Facturé pour l’énergie de la période, avoirs déduits ; réglé et restant dû aujourd’hui. Un reste négatif est à rendre. L’économie est hors taxes, face au prix du fournisseur."
  >
    {pack.buyers.length > 0 ? (
      <Table label="Participants" rows={pack.buyers} columns={buyerColumns} />
    ) : (
      <p className="text-body text-ink-soft">Personne n’a participé pendant cette période.</p>
    )}
  </Card>
)

export const ProducerTable = ({ pack }: { pack: Assembly }) => (
  <Card
    title="Ce que la toiture a rapporté"
    description="Ventes facturées au nom de chaque producteur, moins les frais de l’organisateur."
  >
    {pack.producers.length > 0 ? (
      <Table label="Producteurs" rows={pack.producers} columns={producerColumns} />
    ) : (
      <p className="text-body text-ink-soft">Aucune vente n’a été facturée pour cette période.</p>
    )}
  </Card>
)

/** Named here; each lot stands in the paper. */
export const LotChargesCard = ({ pack }: { pack: Assembly }) =>
  pack.lots.length > 0 && (
    <Card title="Charges par lot" description="Le dossier les donne lot par lot.">
      <ul className="divide-y divide-line">
        {pack.lots.map(({ buyer, by, lots, gross }) => (
          <li key={buyer.id} className="flex flex-wrap justify-between gap-x-4 py-2.5 text-body first:pt-0 last:pb-0">
            <span>{`${buyer.name}\u00a0: ${formatCount(lots.length, 'lot')}, ${SPREAD_LABELS[by].toLowerCase()}`}</span>
            <span className="tabular">{formatMoney(gross)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
