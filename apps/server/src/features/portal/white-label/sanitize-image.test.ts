import { expect, test } from 'vitest'
import { sanitizeImage } from './sanitize-image.ts'
import { buildPng, buildPngChunk } from './testing/png.ts'

test('a PNG is kept without what it tells of its maker and without what hangs behind it', async () => {
  const secret = buildPngChunk('tEXt', Buffer.from('Author\0Jeanne'))
  const found = await sanitizeImage(
    Buffer.concat([buildPng(8, undefined, [secret]), Buffer.from('<script>alert(1)</script>')]),
  )
  expect(found).toMatchObject({ mediaType: 'image/png', extension: 'png', width: 8, height: 8 })
  expect(found?.content.equals(buildPng())).toBe(true)
})

test('one that is broken, that swells, or that is too large is none', async () => {
  const broken = buildPng()
  broken.writeUInt8(1, 40)
  expect(await sanitizeImage(broken)).toBeUndefined()
  expect(await sanitizeImage(buildPng(8, Buffer.alloc(5_000_000)))).toBeUndefined()
  expect(await sanitizeImage(buildPng(8, Buffer.alloc(10)))).toBeUndefined()
  expect(await sanitizeImage(buildPng(2100, Buffer.alloc(1)))).toBeUndefined()
  expect(await sanitizeImage(buildPng().subarray(0, 50))).toBeUndefined()
  expect(await sanitizeImage(Buffer.from('MZ not a picture'))).toBeUndefined()
  expect(await sanitizeImage(Buffer.from('<html><script>alert(1)</script></html>'))).toBeUndefined()
})

test('a JPEG loses where it was taken, and what stands behind its end', async () => {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(data.length + 2, 2)
    return Buffer.concat([head, data])
  }
  const frame = segment(0xc0, Buffer.from([8, 0, 4, 0, 6, 1, 1, 0x11, 0]))
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([1, 2, 0xff, 0, 3])])
  const exif = segment(0xe1, Buffer.from('Exif\0\0GPS 48.85 2.35'))
  const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]
  const found = await sanitizeImage(Buffer.concat([start, exif, frame, scan, end, Buffer.from('<?php')]))
  expect(found).toMatchObject({ mediaType: 'image/jpeg', width: 6, height: 4 })
  expect(found?.content.equals(Buffer.concat([start, frame, scan, end]))).toBe(true)
})

test('an icon is looked at picture by picture', async () => {
  const inner = buildPng(16)
  const head = Buffer.alloc(22)
  head.writeUInt32LE(0x00010000, 0)
  head.writeUInt16LE(1, 4)
  head.set([16, 16], 6)
  head.writeUInt32LE(inner.length, 14)
  head.writeUInt32LE(22, 18)
  expect(await sanitizeImage(Buffer.concat([head, inner, Buffer.from('more')]))).toMatchObject({
    mediaType: 'image/x-icon',
    width: 16,
    content: Buffer.concat([head, inner]),
  })
  expect(await sanitizeImage(Buffer.concat([head, Buffer.alloc(inner.length, 65)]))).toBeUndefined()
})

const svg = async (inside: string, root = 'viewBox="0 0 40 20"') => {
  const found = await sanitizeImage(
    Buffer.from(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" ${root}>${inside}</svg>`),
  )
  return found && { ...found, text: found.content.toString() }
}

test('a drawing keeps what draws', async () => {
  const found = await svg(
    '<style>.a{fill:#f00;background:url(//x)}@import "//x";</style><defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs><path class="a" d="M0 0L5 5z" fill="url(#g)" style="stroke:#00f;fill:url(https://x)"/><text x="1">Toit &amp; soleil</text>',
  )
  expect(found).toMatchObject({ mediaType: 'image/svg+xml', extension: 'svg', width: 40, height: 20 })
  expect(found?.text).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><style>.a{fill:#f00}</style><defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs><path class="a" d="M0 0L5 5z" fill="url(#g)" style="stroke:#00f"/><text x="1">Toit &amp; soleil</text></svg>',
  )
})

test.each([
  ['a script', '<script>alert(1)</script><path d="M0 0"/>'],
  ['a handler', '<path d="M0 0" onload="alert(1)" onclick="x"/>'],
  [
    'a page inside',
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x"/></body></foreignObject><path d="M0 0"/>',
  ],
  ['a link', '<a href="javascript:alert(1)"><path d="M1 1"/></a><path d="M0 0"/>'],
  ['a picture of another host', '<image href="https://x.example/p.png"/><use href="//x#a"/><path d="M0 0"/>'],
  ['what moves', '<set attributeName="href" to="javascript:alert(1)"/><animate/><path d="M0 0"/>'],
  ['a fill of another host', '<path d="M0 0" fill="url(https://x.example/#a)"/>'],
  ['a written-out script', '<path d="M0 0" fill="&#106;avascript:alert(1)"/>'],
])('nothing of %s stays', async (_, inside) => {
  expect((await svg(inside))?.text).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0"/></svg>',
  )
})

test('a drawing that declares, that is not whole, or that has no size is none', async () => {
  const bomb = '<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY x SYSTEM "file:///etc/passwd">]><svg viewBox="0 0 1 1">&x;</svg>'
  expect(await sanitizeImage(Buffer.from(bomb))).toBeUndefined()
  expect(await svg('<text>&x;</text>')).toBeUndefined()
  expect(await svg('<g><path d="M0 0"/>')).toBeUndefined()
  expect(await svg('<path d="M0 0"/>', '')).toBeUndefined()
  expect(await svg('<g>'.repeat(60) + '</g>'.repeat(60))).toBeUndefined()
  expect(await svg('<path/>'.repeat(6000))).toBeUndefined()
})
