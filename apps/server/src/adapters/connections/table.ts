import type { Connector } from './connector.ts'
import { feed } from './feed.ts'
import { s3 } from './s3.ts'
import { sftp } from './sftp.ts'
import { smtp } from './smtp.ts'
import { weather } from './weather.ts'

/** The table of connectors: the next one is a file beside these and a row here. */
export const CONNECTORS: readonly Connector[] = [sftp, s3, smtp, feed, weather]

export const connectorOf = (kind: string): Connector | undefined => CONNECTORS.find((one) => one.kind === kind)
