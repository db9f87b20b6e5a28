import {
  PERIOD_TYPE_BY_KIND,
  REGULATORY_LABELS,
  type RegulatoryExport,
  type RegulatoryKind,
  type RegulatoryPreview,
} from '@voisol/contract/regulatory'
import { formatCount } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { MakeVersionButton } from './make.tsx'
import { VersionItem } from './version.tsx'

type Props = {
  kind: RegulatoryKind
  operationId: string
  versions: RegulatoryExport[]
  offer: RegulatoryPreview | undefined
}
const MAX_SHOWN_VERSIONS = 3

function OfferStatus({ offer, last }: { offer: RegulatoryPreview; last: RegulatoryExport | undefined }) {
  const rowsText = formatCount(offer.rows, 'ligne')
  if (offer.changed === null) return <Badge tone="neutral">{`${rowsText}, aucune version établie`}</Badge>
  if (offer.changed) return <Badge tone="warning">{`Changé depuis la version ${last?.number ?? ''}`}</Badge>
  return <Badge tone="success">À jour</Badge>
}

function OlderVersions({ versions }: { versions: RegulatoryExport[] }) {
  if (versions.length === 0) return null
  return (
    <details className="text-body">
      <summary className="cursor-pointer py-1 text-ink-soft hover:text-ink">
        {formatCount(versions.length, 'version plus ancienne', 'versions plus anciennes')}
      </summary>
      <ul className="divide-y divide-line">
        {versions.map((version) => (
          <VersionItem key={version.id} version={version} />
        ))}
      </ul>
    </details>
  )
}

/** A kind of paper: what it is for, whether the last version still says what is true, and the versions. */
export function RegulatoryKindCard({ kind, operationId, versions, offer }: Props) {
  const { title, purpose } = REGULATORY_LABELS[kind]
  return (
    <Card
      title={title}
      description={purpose}
      actions={<MakeVersionButton kind={kind} operationId={operationId} periodOf={PERIOD_TYPE_BY_KIND[kind]} />}
    >
      <div className="grid gap-3">
        {offer && (
          <div className="grid justify-items-start gap-2 text-body">
            <OfferStatus offer={offer} last={versions[0]} />
            {offer.missing.length > 0 && (
              <p className="text-warning">{`À compléter\u00a0: ${offer.missing.join(', ')}.`}</p>
            )}
          </div>
        )}
        {/* Where it is known what a paper would say, its badge says that there is none yet. */}
        {versions.length === 0 && !offer && <p className="text-body text-ink-soft">Aucune version n’a été établie.</p>}
        {versions.length > 0 && (
          <ul className="divide-y divide-line">
            {versions.slice(0, MAX_SHOWN_VERSIONS).map((version) => (
              <VersionItem key={version.id} version={version} />
            ))}
          </ul>
        )}
        <OlderVersions versions={versions.slice(MAX_SHOWN_VERSIONS)} />
      </div>
    </Card>
  )
}
