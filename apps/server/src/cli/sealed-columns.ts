type Row = { companyId: number; id: string }
/** A sealed column, and the context that opens it; `print` is the fingerprint stored beside an IBAN. */
export type SealedColumn = {
  table: string
  column: string
  place: (row: Row) => string
  print?: string
  key?: string[]
}

const defineSealedColumn = (table: string, column: string, word: string, print?: string): SealedColumn => ({
  table,
  column,
  place: ({ companyId, id }) => `${word} ${companyId} ${id}`,
  ...(print && { print }),
})

/**
 * All values that stay sealed; a test checks that every place of the code that seals is listed, here or among the
 * short-lived ones.
 */
export const SEALED_COLUMNS: SealedColumn[] = [
  defineSealedColumn('participants', 'iban', 'iban'),
  defineSealedColumn('sellers', 'iban', 'seller iban'),
  defineSealedColumn('bank_accounts', 'iban', 'bank account', 'iban_print'),
  defineSealedColumn('mandates', 'iban', 'mandate iban', 'iban_print'),
  defineSealedColumn('mandates', 'former_iban', 'mandate iban'),
  defineSealedColumn('online_providers', 'key', 'online key'),
  defineSealedColumn('online_providers', 'secret', 'online secret'),
  defineSealedColumn('enedis_credentials', 'client_id', 'enedis client'),
  defineSealedColumn('enedis_credentials', 'client_secret', 'enedis secret'),
  defineSealedColumn('connections', 'settings', 'connection'),
  defineSealedColumn('webhooks', 'secret', 'webhook'),
  defineSealedColumn('webhooks', 'former_secret', 'webhook'),
  defineSealedColumn('sso_connections', 'client_secret', 'sso secret'),
  defineSealedColumn('sso_connections', 'signing_key', 'sso key'),
  {
    table: 'sync_settings',
    column: 'file_key',
    place: ({ companyId }) => `distributor files ${companyId}`,
    key: ['company_id'],
  },
  { table: 'users', column: 'totp_secret', place: ({ id }) => `totp ${id}`, key: ['id'] },
]
