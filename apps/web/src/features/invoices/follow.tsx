import { DELIVERY_WORDS, type FollowedState, type InvoiceDetail } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { useState } from 'react'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Textarea } from '../../ui/textarea.tsx'

type Channel = 'chorus' | 'pa'
const isFollowed = (channel: string): channel is Channel => channel === 'chorus' || channel === 'pa'

/** What may be learnt next of a document that somebody else carries; the server has the last word. */
const NEXT: Record<string, FollowedState[]> = {
  waiting: ['deposited', 'available', 'rejected'],
  deposited: ['available', 'paid', 'rejected'],
  available: ['paid', 'rejected'],
  rejected: ['deposited'],
}

function useFollow(id: string, channel: Channel) {
  const { run, isPending } = useAction(invoices.follow, [invoices.get, invoices.list])
  const say = (state: FollowedState, detail = '') =>
    run({ params: { id }, body: { channel, state, detail } })
      .then(() => true)
      .catch((error: unknown) => {
        toast({ title: 'État non enregistré', description: explain(error), variant: 'destructive' })
        return false
      })
  return { say, isPending }
}

function Rejection({ onSay, busy }: { onSay: (why: string) => void; busy: boolean }) {
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
const States = ({ id, channel, next }: { id: string; channel: Channel; next: FollowedState[] }) => {
  const [rejecting, setRejecting] = useState(false)
  const { say, isPending } = useFollow(id, channel)
  if (rejecting)
    return (
      <Rejection
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
          {DELIVERY_WORDS[state]}
        </MenuItem>
      ))}
    </Menu>
  )
}

export const Follow = only(invoices.follow, ({ detail }: { detail: InvoiceDetail }) => {
  const last = detail.deliveries.findLast(({ channel }) => isFollowed(channel))
  const next = last && NEXT[last.state]
  return last && isFollowed(last.channel) && next ? <States id={detail.id} channel={last.channel} next={next} /> : null
})
