import DebitRuns from '../../features/payments/direct-debits/runs.tsx'
import MandateList from '../../features/payments/mandates/list.tsx'
import { useCan } from '../../lib/can.tsx'

/** Debits and the mandates under which they are made. */
export default function CollectionPanel() {
  const can = useCan()
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      <DebitRuns />
      {can('mandates.read') && <MandateList />}
    </div>
  )
}
