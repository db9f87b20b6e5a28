import { type Duty, regulatory } from '@voisol/contract/regulatory'
import { useCan } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { todayInParis } from '../../ui/period/period.ts'

type Props = { duty: Duty }
const failed = (error: unknown) =>
  void toast({ title: 'Non enregistré', description: explain(error), variant: 'destructive' })

function Mark({ duty: { key, label } }: Props) {
  const mark = useAction(regulatory.mark, [regulatory.duties])
  const done = () => void mark.run({ body: { key, doneOn: todayInParis(), note: '' } }).catch(failed)
  return (
    <Button
      variant="secondary"
      size="small"
      loading={mark.isPending}
      aria-label={`${label}, c’est fait`}
      onClick={done}
    >
      C’est fait
    </Button>
  )
}

function Unmark({ duty: { key, label } }: Props) {
  const unmark = useAction(regulatory.unmark, [regulatory.duties])
  return (
    <Button
      variant="quiet"
      size="small"
      loading={unmark.isPending}
      aria-label={`Rouvrir, ${label}`}
      onClick={() => void unmark.run({ params: { key } }).catch(failed)}
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
      {can(regulatory.mark) && state !== 'done' && <Mark duty={duty} />}
      {can(regulatory.unmark) && state === 'done' && by && <Unmark duty={duty} />}
    </>
  )
}
