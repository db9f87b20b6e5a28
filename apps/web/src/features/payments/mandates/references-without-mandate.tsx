import type { EndpointReply } from '@voisol/contract/endpoint'
import { mandates } from '@voisol/contract/mandates'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Select } from '../../../components/input.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'

/** References that stand on sheets since before mandates had a place of their own: made mandates of, for one seller. */
export default function NotedMandates({
  choices: { noted, creditors },
}: {
  choices: EndpointReply<typeof mandates.list>
}) {
  const takeOver = useAction(mandates.takeOver, [mandates.list])
  const [creditorId, setCreditorId] = useState(creditors[0]?.id ?? '')
  const [resultLines, setResultLines] = useState<string[]>([])
  if (!creditors.length) return null
  const takeOverMandates = () =>
    takeOver.run({ body: { creditorId } }).then(
      ({ lines }) =>
        setResultLines(lines.map(({ rum, participant, message }) => `${rum}, ${participant}\u00a0: ${message}`)),
      (error: unknown) => setResultLines([explainError(error)]),
    )
  return (
    <div role="status" className="grid gap-3 rounded-card bg-warning-soft p-4 text-body">
      <p>
        {formatCount(noted, 'fiche porte', 'fiches portent')} encore une référence de mandat. Reprenez-la pour pouvoir
        prélever.
      </p>
      <div className="flex flex-wrap gap-3">
        <Select
          aria-label="Créancier des mandats repris"
          className="sm:w-64"
          value={creditorId}
          options={creditors.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setCreditorId(event.target.value)}
        />
        <Button variant="secondary" loading={takeOver.isPending} onClick={takeOverMandates}>
          Reprendre ces mandats
        </Button>
      </div>
      {resultLines.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}
