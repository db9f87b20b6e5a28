import type { ParamsMaker } from './access-makers.ts'
import { UNKNOWN_ID } from './nobody.ts'

/** Bodies for the appearance of a company. */
export const BRAND_BODIES = {
  'POST /api/companies/:companyId/white-label/invoice': { primaryColor: '#FF0000' },
  'POST /api/companies/:companyId/white-label/mail': { primaryColor: '#FF0000' },
}
export const BRAND_QUERIES = {
  'POST /api/companies/:companyId/brand-pictures': { kind: 'logo' },
  'GET /api/mails/sample': { kind: 'reset' },
  'GET /api/domain-ask': { domain: 'inconnu.exemple.fr' },
}

export const brandMakers = (): [RegExp, ParamsMaker][] => [
  [
    /^\/api\/companies\/:companyId\/brand-pictures\/:file/,
    (_, { companyId }) => ({ companyId, file: `${UNKNOWN_ID}.png` }),
  ],
]
