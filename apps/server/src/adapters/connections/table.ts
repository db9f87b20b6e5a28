import type { Connector } from './connector.ts'
import { feedConnector } from './feed.ts'
import { s3Connector } from './s3.ts'
import { sftpConnector } from './sftp.ts'
import { smtpConnector } from './smtp.ts'
import { weatherConnector } from './weather.ts'

/** The table of connectors: a new one is a file in this folder and a row here. */
export const CONNECTORS: readonly Connector[] = [
  sftpConnector,
  s3Connector,
  smtpConnector,
  feedConnector,
  weatherConnector,
]

export const findConnectorOfKind = (kind: string): Connector | undefined => CONNECTORS.find((one) => one.kind === kind)
