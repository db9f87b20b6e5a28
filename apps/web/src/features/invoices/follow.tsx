import { DELIVERY_STATE_LABELS, type InvoiceDetail, type TrackedState } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Textarea } from '../../ui/textarea.tsx'

type FollowedChannel = 'chorus' | 'pa'
const isFollowedChannel = (channel: string): channel is FollowedChannel => channel === 'chorus' || channel === 'pa'

/** What may be learnt next of a document that somebody else carries; the server has the last word. */
const NEXT_STATES: Record<string, TrackedState[]> = {
  waiting: ['deposited', 'available', 'rejected'],
  deposited: ['available', 'paid', 'rejected'],
  available: ['paid', 'rejected'],
  rejected: ['deposited'],
}

function useRecordState(id: string, channel: FollowedChannel) {
  const { run, isPending } = useAction(invoices.follow, [invoices.get, invoices.list])
  const recordState = (state: TrackedState, detail = '') =>
    run({ params: { id }, body: { channel, state, detail } })
      .then(() => true)
      .catch((error: unknown) => {
        toast({ title: 'État non enregistré', description: explainError(error), variant: 'destructive' })
        return false
      })
  return { say: recordState, isPending }
}

function RejectionForm({ onSay, busy }: { onSay: (why: string) => void; busy: boolean }) {
  const [why, setWhy] = useState('')
  return (
    <div className="grid w-full gap-2">
      <Textarea
        aria-label="Motif du rejet"
        placeholder={'Motif du rejet, par exemple «\u00a0numéro d’engagement inconnu\u00a0»'}
        rows={2}
        value={why}
        onChange={(event) => setWhy(event.target.value)}
      />
      <Button variant="secondary" loading={busy} disabled={why.trim().length < 3} onClick={() => onSay(why)}>
        Noter le rejet
      </Button>
    </div>
  )
}

/** On Chorus Pro or a platform a document goes on living: what one learns of it is noted here. */
const RecordStateMenu = ({ id, channel, next }: { id: string; channel: FollowedChannel; next: TrackedState[] }) => {
  const [rejecting, setRejecting] = useState(false)
  const { say, isPending } = useRecordState(id, channel)
  if (rejecting)
    return (
      <RejectionForm
        busy={isPending}
        onSay={(why) => void say('rejected', why).then((done) => done && setRejecting(false))}
      />
    )
  return (
    <Menu
      trigger={
        <Button variant="secondary" size="small" loading={isPending}>
          Noter l’état
        </Button>
      }
    >
      {next.map((state) => (
        <MenuItem key={state} onSelect={() => (state === 'rejected' ? setRejecting(true) : void say(state))}>
          {DELIVERY_STATE_LABELS[state]}
        </MenuItem>
      ))}
    </Menu>
  )
}

export const DeliveryTracking = withAccess(invoices.follow, ({ detail }: { detail: InvoiceDetail }) => {
  const last = detail.deliveries.findLast(({ channel }) => isFollowedChannel(channel))
  const next = last && NEXT_STATES[last.state]
  return last && isFollowedChannel(last.channel) && next ? (
    <RecordStateMenu id={detail.id} channel={last.channel} next={next} />
  ) : null
})
