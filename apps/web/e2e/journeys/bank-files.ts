const formatEuros = (cents: number) => (Math.abs(cents) / 100).toFixed(2)
const buildAmountXml = (cents: number) =>
  `<Amt Ccy="EUR">${formatEuros(cents)}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`

export type BankStatementEntry = { cents: number; details: string }
type BankStatementInput = { iban: string; opening: number; on: string; entries: BankStatementEntry[] }

/** A statement as a bank writes it. */
export function bankStatement({ iban, opening, on, entries }: BankStatementInput): Buffer {
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${buildAmountXml(cents)}<Dt><Dt>${on}</Dt></Dt></Bal>`
  const closing = entries.reduce((sum, { cents }) => sum + cents, opening)
  const lines = entries.map(
    ({ cents, details }, at) =>
      `<Ntry>${buildAmountXml(cents)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${on}</Dt></BookgDt><AcctSvcrRef>R${at}</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`,
  )
  const account = `<Acct><Id><IBAN>${iban}</IBAN></Id></Acct>`
  const body = `${account}${balance('OPBD', opening)}${balance('CLBD', closing)}${lines.join('')}`
  return Buffer.from(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S1</Id>${body}</Stmt></BkToCstmrStmt></Document>`,
  )
}

/** A transfer, with what its sender wrote. */
export const buildTransferXml = (text: string, name: string) =>
  `<TxDtls><RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`

/** A debit that came back, and why. */
export const buildReturnXml = ({ endToEndId, amount }: { endToEndId: string; amount: number }, code: string) =>
  `<TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs><Amt Ccy="EUR">${formatEuros(amount)}</Amt><RtrInf><Rsn><Cd>${code}</Cd></Rsn></RtrInf></TxDtls>`
