import {
  PERIOD_OF,
  REGULATORY_WORDS,
  type RegulatoryExport,
  type RegulatoryKind,
  type RegulatoryOffer,
} from '@voisol/contract/regulatory'
import { plural } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { MakeVersion } from './make.tsx'
import { Version } from './version.tsx'

type Props = {
  kind: RegulatoryKind
  operationId: string
  versions: RegulatoryExport[]
  offer: RegulatoryOffer | undefined
}
const SHOWN = 3

function Standing({ offer, last }: { offer: RegulatoryOffer; last: RegulatoryExport | undefined }) {
  const said = plural(offer.rows, 'ligne')
  if (offer.changed === null) return <Badge tone="neutral">{`${said}, aucune version établie`}</Badge>
  if (offer.changed) return <Badge tone="warning">{`Changé depuis la version ${last?.number ?? ''}`}</Badge>
  return <Badge tone="success">À jour</Badge>
}

function Older({ versions }: { versions: RegulatoryExport[] }) {
  if (versions.length === 0) return null
  return (
    <details className="text-body">
      <summary className="cursor-pointer py-1 text-ink-soft hover:text-ink">
        {plural(versions.length, 'version plus ancienne', 'versions plus anciennes')}
      </summary>
      <ul className="divide-y divide-line">
        {versions.map((version) => (
          <Version key={version.id} version={version} />
        ))}
      </ul>
    </details>
  )
}

/** A kind of paper: what it is for, whether the last version still says what is true, and the versions. */
export function KindCard({ kind, operationId, versions, offer }: Props) {
  const { title, purpose } = REGULATORY_WORDS[kind]
  return (
    <Card
      title={title}
      description={purpose}
      actions={<MakeVersion kind={kind} operationId={operationId} periodOf={PERIOD_OF[kind]} />}
    >
      <div className="grid gap-3">
        {offer && (
          <div className="grid justify-items-start gap-2 text-body">
            <Standing offer={offer} last={versions[0]} />
            {offer.missing.length > 0 && (
              <p className="text-warning">{`À compléter\u00a0: ${offer.missing.join(', ')}.`}</p>
            )}
          </div>
        )}
        {/* Where it is known what a paper would say, its badge says that there is none yet. */}
        {versions.length === 0 && !offer && <p className="text-body text-ink-soft">Aucune version n’a été établie.</p>}
        {versions.length > 0 && (
          <ul className="divide-y divide-line">
            {versions.slice(0, SHOWN).map((version) => (
              <Version key={version.id} version={version} />
            ))}
          </ul>
        )}
        <Older versions={versions.slice(SHOWN)} />
      </div>
    </Card>
  )
}
