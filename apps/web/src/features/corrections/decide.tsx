import { corrections, type Review } from '@voisol/contract/corrections'
import { useState } from 'react'
import { Can } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/textarea.tsx'

type Props = { review: Review; seal: string }
const showFailure = (error: unknown) =>
  toast({ title: 'Régularisation impossible', description: explainError(error), variant: 'destructive' })

function DismissCorrection({ review }: Pick<Props, 'review'>) {
  const [reason, setReason] = useState<string>()
  const leave = useAction(corrections.leave, [corrections.list, corrections.get])
  if (reason === undefined)
    return (
      <Button variant="quiet" onClick={() => setReason('')}>
        Laisser sans suite
      </Button>
    )
  return (
    <div className="flex w-full flex-col gap-2">
      <Textarea
        aria-label="Pourquoi laisser cette régularisation sans suite"
        placeholder="Pourquoi&nbsp;? Ce motif reste au journal."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        variant="secondary"
        disabled={reason.trim().length < 10 || leave.isPending}
        onClick={() => void leave.run({ params: { id: review.id }, body: { reason } }).catch(showFailure)}
      >
        Laisser sans suite
      </Button>
    </div>
  )
}

/** One press issues what is shown, and nothing else: what changed since is shown again first. */
function IssueCorrection({ review, seal }: Props) {
  const issue = useAction(corrections.issue, [corrections.list, corrections.get])
  const { creditNotes, complements, reissued } = review.summary
  const documents = creditNotes + complements + reissued
  return (
    <Button
      loading={issue.isPending}
      onClick={() =>
        void issue
          .run({ params: { id: review.id }, body: { seal } })
          .then(({ issued }) =>
            toast({ title: `${formatCount(issued, 'document émis', 'documents émis')}`, variant: 'success' }),
          )
          .catch(showFailure)
      }
    >
      {documents > 0 ? `Émettre ${formatCount(documents, 'document')}` : 'Prendre acte'}
    </Button>
  )
}

export const CorrectionDecisionButtons = ({ review, seal }: Props) => (
  <div className="flex flex-wrap items-start gap-3">
    <Can call={corrections.issue}>
      <IssueCorrection review={review} seal={seal} />
    </Can>
    <Can call={corrections.leave}>
      <DismissCorrection review={review} />
    </Can>
  </div>
)
