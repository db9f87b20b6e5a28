import { getXmlAttribute, scanXml, unescapeXml } from '@voisol/file-formats/scan-xml'
import { fieldError } from '../../../http/errors.ts'
import type { OutboundClient } from '../../../integrations/post/outbound-client.ts'
import { RefusedAddressError } from '../../../integrations/post/post.ts'
import { parseCertificates } from './certificates.ts'

const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const SAML2_PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'

type ProviderEntity = { entityId: string; ssoUrl: string; certificates: string[]; isProvider: boolean }
type MetadataSource = 'url' | 'xml'

const UNREADABLE_MESSAGE =
  'Ces métadonnées ne se lisent pas\u00a0: donnez le document XML de votre fournisseur d’identité (EntityDescriptor).'

const NOT_PUBLIC_MESSAGE = 'Cette adresse mène à une machine qui n’est pas publique\u00a0: collez le document.'
const NO_ANSWER_MESSAGE = 'Ce serveur n’a pas répondu\u00a0: vérifiez l’adresse, ou collez le document.'

/** The providers that a document tells of; parts that sign nothing, or speak another protocol, are passed over. */
function parseEntities(xml: string): ProviderEntity[] {
  const all: ProviderEntity[] = []
  let entity: ProviderEntity | undefined
  let inProvider = false
  let signs = false
  scanXml(xml, {
    open(name, written) {
      if (name === 'EntityDescriptor') {
        entity = {
          entityId: unescapeXml(getXmlAttribute(written, 'entityID')),
          ssoUrl: '',
          certificates: [],
          isProvider: false,
        }
        all.push(entity)
      }
      if (name === 'IDPSSODescriptor' && entity) {
        inProvider = getXmlAttribute(written, 'protocolSupportEnumeration').split(/\s+/).includes(SAML2_PROTOCOL)
        entity.isProvider ||= inProvider
      }
      if (name === 'KeyDescriptor') signs = inProvider && getXmlAttribute(written, 'use') !== 'encryption'
      if (
        name === 'SingleSignOnService' &&
        entity &&
        inProvider &&
        getXmlAttribute(written, 'Binding') === REDIRECT_BINDING
      )
        entity.ssoUrl ||= unescapeXml(getXmlAttribute(written, 'Location'))
    },
    close(name, text) {
      if (name === 'X509Certificate' && signs) entity?.certificates.push(text.replace(/\s+/g, ''))
      if (name === 'KeyDescriptor') signs = false
      if (name === 'IDPSSODescriptor') inProvider = false
    },
  })
  return all.filter(({ isProvider }) => isProvider)
}

const toPem = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`

/** A provider that renews its certificate shows the one before for a while: what has lapsed is left out, unless nothing is left. */
function parseValidCertificates(certificates: string[]): string[] {
  const read = [...new Set(certificates)].map((base64) => {
    try {
      return { good: parseCertificates(toPem(base64)) }
    } catch (error) {
      return { error }
    }
  })
  const good = read.flatMap((one) => one.good ?? [])
  const [first] = read
  if (!good.length && first?.error) throw first.error
  return good
}

/** What a provider says of itself, as the form takes it. Nothing is kept: whoever sets it up looks at it first. */
export function parseSamlMetadata(xml: string, from: MetadataSource) {
  let found: ProviderEntity[]
  try {
    // What one reader takes for text and another for tags is read by none.
    if (xml.includes('<![CDATA[')) throw new Error('a section')
    found = parseEntities(xml)
  } catch {
    throw fieldError(from, UNREADABLE_MESSAGE)
  }
  const [entity, ...others] = found
  if (!entity) throw fieldError(from, UNREADABLE_MESSAGE)
  if (others.length)
    throw fieldError(
      from,
      'Ce document décrit plusieurs fournisseurs (une fédération)\u00a0: donnez celui de votre organisation seul.',
    )
  const { entityId, ssoUrl } = entity
  if (!entityId) throw fieldError(from, 'Le document ne nomme pas son fournisseur (entityID).')
  if (!ssoUrl) throw fieldError(from, 'Le document ne donne pas d’adresse de connexion «\u00a0HTTP-Redirect\u00a0».')
  const certificates = parseValidCertificates(entity.certificates)
  if (!certificates.length) throw fieldError(from, 'Le document ne contient pas de certificat de signature.')
  return { entityId, ssoUrl, certificates: certificates.join('\n') }
}

/** Behind the same guard as every address that somebody gives. */
export async function fetchSamlMetadata(outside: OutboundClient, url: string, signal: AbortSignal): Promise<string> {
  const refusal = outside.refusal(url)
  if (refusal) throw fieldError('url', refusal)
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }
  const answer = await outside.fetch(url, { method: 'GET', headers, signal }).catch((error: unknown) => {
    throw fieldError('url', error instanceof RefusedAddressError ? NOT_PUBLIC_MESSAGE : NO_ANSWER_MESSAGE)
  })
  if (!answer.ok)
    throw fieldError('url', `Ce serveur a répondu ${answer.status}\u00a0: vérifiez l’adresse, ou collez le document.`)
  return answer.text()
}
