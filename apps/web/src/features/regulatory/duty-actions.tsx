import { type RegulatoryObligation, regulatory } from '@voisol/contract/regulatory'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'

type Props = { duty: RegulatoryObligation }
const showFailure = (error: unknown) =>
  void toast({ title: 'Non enregistré', description: explainError(error), variant: 'destructive' })

function MarkDoneButton({ duty: { key, label } }: Props) {
  const mark = useAction(regulatory.mark, [regulatory.duties])
  const markDone = () => void mark.run({ body: { key, doneOn: getTodayInParis(), note: '' } }).catch(showFailure)
  return (
    <Button
      variant="secondary"
      size="small"
      loading={mark.isPending}
      aria-label={`${label}, c’est fait`}
      onClick={markDone}
    >
      C’est fait
    </Button>
  )
}

function ReopenButton({ duty: { key, label } }: Props) {
  const unmark = useAction(regulatory.unmark, [regulatory.duties])
  return (
    <Button
      variant="quiet"
      size="small"
      loading={unmark.isPending}
      aria-label={`Rouvrir, ${label}`}
      onClick={() => void unmark.run({ params: { key } }).catch(showFailure)}
    >
      Rouvrir
    </Button>
  )
}

/** What settles a duty: the paper it asks for, or a person's word; what a sending closed stays closed. */
export function DutyActions({ duty }: Props) {
  const can = useCan()
  const { state, make, by } = duty
  return (
    <>
      {make && state !== 'done' && (
        <ButtonLink variant="quiet" size="small" to={`/regulatory-exports?tab=exports&operation=${make.operationId}`}>
          Établir la pièce
        </ButtonLink>
      )}
      {can(regulatory.mark) && state !== 'done' && <MarkDoneButton duty={duty} />}
      {can(regulatory.unmark) && state === 'done' && by && <ReopenButton duty={duty} />}
    </>
  )
}
