import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childOf, readXml, textAt, type XmlElement } from './read-xml.ts';

const fail = (why: string) => new Error(`the answer ${why}`);
const read = (source: string): XmlElement => readXml(source, { fail });
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

describe('a document', () => {
  test('is elements and text', () => {
    const root = read('\ufeff<?xml version="1.0"?>\n<!-- hi --><a x="1" y = \'2\'/>');
    expect(root).toEqual({ name: 'a', namespace: '', attributes: ` x="1" y = '2'`, children: [], text: '' });
    const nested = read('<r><k>one</k><k>t&amp;w&#111;&#x41;<![CDATA[<&]]></k><e/></r>');
    expect(nested.children.map(({ text }) => text)).toEqual(['one', 't&woA<&', '']);
    expect([textAt(nested, 'k'), childOf(nested, 'missing'), textAt(undefined, 'k')]).toEqual(['one', undefined, undefined]);
  });

  test('has namespaces, whatever the prefixes are', () => {
    const root = read('<D:multistatus xmlns:D="DAV:" xmlns="urn:x"><D:href/><plain xmlns:D="other"><D:in/></plain></D:multistatus>');
    expect([root.name, root.namespace]).toEqual(['multistatus', 'DAV:']);
    expect(root.children.map(({ name, namespace }) => [name, namespace])).toEqual([
      ['href', 'DAV:'],
      ['plain', 'urn:x'],
    ]);
    expect(root.children[1]?.children[0]?.namespace).toBe('other');
  });

  test('gives back every text', () => {
    const character = fc.string({ unit: 'binary' }).filter((text) => !/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text));
    fc.assert(
      fc.property(character, (text) => {
        expect(read(`<a>${escaped(text)}</a>`).text).toBe(text);
      }),
    );
  });
});

test.each([
  ['', 'ends before its root does'],
  ['<a>', 'ends before its root does'],
  ['<a></b>', 'closes b, which is not open'],
  ['</a>', 'closes a, which is not open'],
  ['<a/><b/>', 'goes on behind its end'],
  ['<a/>tail', 'has text outside of its root'],
  ['<a>&nbsp;</a>', 'has the entity &nbsp;, which is not known'],
  ['<a>&</a>', 'has the entity &, which is not known'],
  ['<a>&#0;</a>', 'has the entity &#0;, which is not known'],
  ['<a>&#xd800;</a>', 'has the entity &#xd800;, which is not known'],
  ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'declares a document type, which is not read'],
  ['<a><!ELEMENT x></a>', 'declares a document type, which is not read'],
  ['<a b=c/>', 'has a tag that is none'],
  ['<a><1/></a>', 'has a tag that is none'],
  ['<a><!-- </a>', 'lacks -->'],
  ['<a>\u0001</a>', 'holds a character that XML has not'],
  ['<x:a/>', 'has the prefix x without saying what it stands for'],
  ['<a>'.repeat(40), 'is nested more than 32 deep'],
])('%j is refused', (source, why) => {
  expect(() => read(source)).toThrow(`the answer ${why}`);
});

test('more elements than allowed are refused', () => {
  expect(() => readXml(`<a>${'<b/>'.repeat(10)}</a>`, { fail, maxElements: 10 })).toThrow('has more than 10 elements');
});
