import type { FlowSubscriber } from '@voisol/contract/flows'

/** Nothing came, nothing waits and nothing stands in its way: there is no figure of it to read. */
export const isIdleSubscriber = ({ delivered, waiting, failed, failingSince }: FlowSubscriber) =>
  delivered + waiting + failed === 0 && failingSince === null
