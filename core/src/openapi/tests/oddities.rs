//! Oddities of real documents that break other tools.

use super::{api_of, check};

#[test]
fn references_to_parameters_answers_bodies_and_path_items_are_followed() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a: { $ref: '#/x-items/A' }
        x-items:
          A:
            post:
              parameters: [{ $ref: '#/components/parameters/Q' }]
              requestBody: { $ref: '#/components/requestBodies/B' }
              responses: { '200': { $ref: '#/components/responses/R' } }
        components:
          parameters: { Q: { name: q, in: query, schema: { type: string } } }
          requestBodies: { B: { content: { application/json: { schema: { type: boolean } } } } }
          responses: { R: { description: '', headers: { H: { $ref: '#/components/headers/H' } } } }
          headers: { H: { schema: { type: integer } } }
        ",
        "POST /a; query q? form* str; body? application/json Json bool; -> Code(200)[] header H!",
    );
}

#[test]
fn references_to_nothing_cost_only_themselves() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a/{id}:
            get:
              parameters: [{ $ref: '#/components/parameters/Gone' }, { name: q, in: query, schema: { $ref: '#/gone' } }]
              requestBody: { $ref: 'gone.yaml#/b' }
              responses: { '200': { $ref: '#/gone' } }
          /b: { $ref: '#/gone' }
        ",
        "GET /a/{id}; query q? form* any; path id simple str[1..]; -> Code(200)[]
        skipped /b at /paths/~1b: `#/gone` does not exist
        repair at /paths/~1a~1{id}/get/parameters/0: `#/components/parameters/Gone` does not exist, parameter left out
        repair at /paths/~1a~1{id}/get: path parameter `id` is not declared, taken for text
        repair at /paths/~1a~1{id}/get/requestBody: `gone.yaml#/b` lies where nothing is fetched from, body left out
        repair at /paths/~1a~1{id}/get/responses/200: `#/gone` does not exist, nothing is known of the answer
        repair at /paths/~1a~1{id}/get/parameters/1/schema: `#/gone` does not exist, taken to allow anything",
    );
}

#[test]
fn path_parameters_may_be_declared_at_path_level_or_not_at_all() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a/{id}/{other}:
            parameters:
              - { name: id, in: path, required: true, schema: { type: integer } }
              - { name: gone, in: path, required: true, schema: { type: integer } }
              - { name: q, in: query, schema: { type: integer } }
            get:
              parameters: [{ name: q, in: query, schema: { type: boolean } }]
        ",
        "GET /a/{id}/{other}; path id simple int; query q? form* bool; path other simple str[1..]
        repair at /paths/~1a~1{id}~1{other}/get: path parameter `other` is not declared, taken for text
        repair at /paths/~1a~1{id}~1{other}/get: path parameter `gone` does not occur in the path, left out",
    );
}

#[test]
fn placeholders_of_other_template_languages_are_brought_into_form() {
    let api = api_of(
        r"
        swagger: 2.0
        paths:
          v1/{+name}/{id*}/{path=a/*}{?q}:
            get: { parameters: [{ name: name, in: path, required: true, type: string }] }
        ",
    );
    assert_eq!(api.operations[0].url_path, "/v1/{name}/{id}/{path}");
    assert_eq!(api.operations[0].parameters.len(), 3);
}

#[test]
fn repeated_operation_ids_and_paths_with_the_same_address_do_not_clash() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a: { get: { operationId: x }, put: { operationId: x } }
          a: { get: {} }
        ",
        "GET /a
        PUT /a
        skipped GET /a at /paths/a/get: another path is the same but for its first slash",
    );
}

#[test]
fn what_stands_twice_is_told_and_no_path_is_lost() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a: { get: { parameters: [{ name: q, in: query }, { name: q, in: header }, { name: q, in: query, required: true }] } }
          /a: { put: { operationId: x, operationId: y } }
        ",
        "GET /a; query q form* str; header q? simple str
        PUT /a
        repair at /paths/~1a/put/operationId: stands twice: the last one is taken
        repair at /paths/~1a: stands twice: both are taken together
        repair at /paths/~1a/get/parameters/2: parameter `q` stands twice: the last one is taken",
    );
}

#[test]
fn unusable_operations_are_skipped_with_place_and_reason() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a: { get: [], put: 3, post: { requestBody: { required: true, content: { application/json: { schema: false } } } } }
          /b: text
          /c: { get: { parameters: [{ name: q, in: query, required: true, schema: false }, { name: r, in: query, schema: false }] } }
          /d: { get: { parameters: [{ name: r, in: query, schema: false }] } }
        ",
        "GET /d
        skipped GET /a at /paths/~1a/get: the operation is no object
        skipped PUT /a at /paths/~1a/put: the operation is no object
        skipped /b at /paths/~1b: the path item is no object
        skipped POST /a at /paths/~1a/post: no value fits the schema of its body
        skipped GET /c at /paths/~1c/get: no value fits the schema of its parameter `q`
        repair at /paths/~1d/get: parameter `r` left out: no value fits its schema",
    );
}

#[test]
fn several_media_types_of_a_body_are_alternatives_and_need_no_schema() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a:
            post:
              requestBody:
                content:
                  application/json: {}
                  application/octet-stream: {}
                  '*/*': { schema: { type: integer } }
                  image/*: {}
                  json: {}
                  application/xml; charset=utf-8: { schema: { type: object, properties: { a: { type: string } } } }
              responses: { '200': { content: { application/json: {} } }, 2XX: {}, default: {}, ok: {} }
        ",
        "POST /a; body? application/json Json any; body? application/octet-stream Binary str; \
         body? application/xml; charset=utf-8 Xml {a?: str}; -> Code(200)[application/json]; -> Class(2)[]; -> Default[]
        repair at /paths/~1a/post/requestBody/content/json: `json` is no media type, left out
        repair at /paths/~1a/post/responses/ok: `ok` is no status, answer left out",
    );
}

#[test]
fn styles_are_taken_over_where_they_are_possible() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a/{m}/{l}:
            get:
              parameters:
                - { name: m, in: path, required: true, style: matrix, explode: true, schema: {} }
                - { name: l, in: path, required: true, style: label, schema: {} }
                - { name: d, in: query, style: deepObject, schema: {} }
                - { name: p, in: query, style: pipeDelimited, schema: {} }
                - { name: s, in: query, style: spaceDelimited, explode: true, schema: {} }
                - { name: w, in: query, style: matrix, schema: {} }
                - { name: c, in: cookie, schema: {} }
                - { name: x, in: header, schema: {} }
                - { name: j, in: query, content: { application/json: { schema: { type: object } } } }
                - { name: Accept, in: header, schema: {} }
                - { name: t, in: query }
                - { in: query }
                - { name: y, in: nowhere }
        ",
        "GET /a/{m}/{l}; path m matrix* any; path l label any; query d? deepobject* any; query p? pipedelimited any; \
         query s? spacedelimited* any; query w? form* any; cookie c? form* any; header x? simple any; \
         query j? application/json form* {}; query t? form* str
        repair at /paths/~1a~1{m}~1{l}/get/parameters/5: `style` `matrix` is not possible in `query`, left out
        repair at /paths/~1a~1{m}~1{l}/get/parameters/9: parameter `Accept` left out: such headers are set by other means
        repair at /paths/~1a~1{m}~1{l}/get/parameters/11: parameter without a name left out
        repair at /paths/~1a~1{m}~1{l}/get/parameters/12: parameter `y` left out: `in` names no place",
    );
}

#[test]
fn swagger_parameters_bodies_forms_and_answers_are_converted() {
    check(
        r"
        swagger: '2.0'
        consumes: [application/json, application/xml]
        produces: [application/json]
        definitions: { Pet: { type: object, required: [id], properties: { id: { type: integer, format: int32 } } } }
        paths:
          /a:
            get:
              parameters:
                - { name: csv, in: query, type: array, items: { type: string } }
                - { name: multi, in: query, type: array, collectionFormat: multi, items: { type: integer, minimum: 1 } }
                - { name: tsv, in: query, type: array, collectionFormat: tsv, items: { type: string } }
                - { name: h, in: header, type: string, required: true, enum: [a, b] }
              responses: { 200: { schema: { $ref: '#/definitions/Pet' }, headers: { X: { type: integer } } }, 204: {} }
            post:
              parameters: [{ name: b, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }]
            put:
              consumes: [multipart/form-data]
              produces: [image/png]
              parameters: [{ name: f, in: formData, type: file, required: true }, { name: n, in: formData, type: integer }]
              responses: { 200: { schema: { type: file } } }
            patch:
              parameters: [{ name: n, in: formData, type: array, items: { type: string } }]
        ",
        "GET /a; query csv? form [str]; query multi? form* [int[1..]]; query tsv? tabdelimited [str]; header h simple \"a\"|\"b\"; \
         -> Code(200)[application/json!] header X!; -> Code(204)[]
        PUT /a; body multipart/form-data Multipart {f: str binary, n?: int, no more}; -> Code(200)[image/png]
        POST /a; body application/json Json {id: int[-2147483648..2147483647]}; body application/xml Xml {id: int[-2147483648..2147483647]}
        PATCH /a; body? application/x-www-form-urlencoded Form {n?: [str], no more}",
    );
}

#[test]
fn security_of_document_and_operation_decides_on_credentials() {
    check(
        r"
        openapi: 3.0.3
        security: [{ key: [] }]
        paths:
          /a: { get: {}, put: { security: [] }, post: { security: [{}, { key: [] }] }, delete: { security: [{ key: [] }] } }
        ",
        "GET /a (auth)
        PUT /a
        POST /a
        DELETE /a (auth)",
    );
}

#[test]
fn links_lead_to_operations_by_id_and_by_reference() {
    check(
        r"
        openapi: 3.0.3
        paths:
          /a:
            post:
              responses:
                '201':
                  links:
                    One: { operationId: getA, parameters: { id: '$response.body#/id' } }
                    Two: { operationRef: '#/paths/~1a~1%7Bid%7D/get', parameters: { path.id: 3 } }
                    Three: { operationId: gone }
                    Four: { $ref: '#/components/links/L' }
                    Five: 3
          /a/{id}: { get: { operationId: getA, parameters: [{ name: id, in: path, required: true, schema: {} }] } }
        components: { links: { L: { operationId: getA } } }
        ",
        r#"POST /a; -> Code(201)[] link One to GET /a/{id} [("id", String("$response.body#/id"))] link Two to GET /a/{id} [("path.id", Number(3))] link Four to GET /a/{id} []
        GET /a/{id}; path id simple any
        repair at /paths/~1a/post/responses/201/links/Five: link not understood: no variant of enum LinkOperation found in flattened data, left out
        repair at : link `Three` left out: there is no operation `gone`"#,
    );
}

#[test]
fn what_is_not_honoured_is_counted() {
    check(
        r"
        openapi: 3.1.0
        webhooks: {}
        paths:
          /a:
            servers: [{ url: /x }]
            get: { servers: [], callbacks: {}, parameters: [{ name: q, in: query, schema: { not: {}, if: {}, prefixItems: [] } }] }
        ",
        "GET /a; query q? form* any
        unsupported callbacks: 1
        unsupported if: 1
        unsupported not: 1
        unsupported prefixItems: 1
        unsupported servers of single operations: 1
        unsupported servers of single paths: 1
        unsupported webhooks: 1",
    );
}

#[test]
fn header_fields_of_parts_are_sent_with_the_value_they_show() {
    let api = super::api_of(
        r"
        openapi: 3.1.0
        paths:
          /a:
            post:
              requestBody:
                content:
                  multipart/form-data:
                    schema: { type: object, properties: { f: { type: string } } }
                    encoding:
                      f:
                        headers:
                          X-Shown: { example: a b, schema: { type: string } }
                          X-Listed: { schema: { type: integer, enum: [7, 8] } }
                          X-Other: { $ref: '#/components/headers/Other' }
                          X-None: { schema: { type: string } }
                          X-Broken: { example: [1] }
                          Content-Type: { example: text/plain }
        components: { headers: { Other: { schema: { examples: [true] } } } }
        ",
    );
    let headers: Vec<String> =
        api.operations[0].bodies[0].encoding["f"].headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(headers, ["X-Shown: a b", "X-Listed: 7", "X-Other: true"]);
    let left_out: Vec<&str> = api.repairs.iter().map(|repair| repair.action.as_str()).collect();
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    assert!(left_out.iter().all(|action| action.contains("neither it nor its schema shows a value")), "{left_out:?}");
}

#[test]
fn answers_are_the_same_in_whatever_order_they_are_documented() {
    let document = |statuses: [&str; 4]| {
        let answers: Vec<String> = statuses
            .iter()
            .map(|status| {
                format!(r##""{status}": {{"description": "", "content": {{"a/b": {{"schema": {{"const": "{status}"}}}}}}}}"##)
            })
            .collect();
        let responses = answers.join(", ");
        api_of(&format!(
            r##"{{"openapi": "3.1.0", "info": {{"title": "", "version": ""}}, "paths": {{"/a": {{"get": {{"responses": {{{responses}}}}}}}}}}}"##
        ))
    };
    let [one, other] = [["200", "409", "400", "default"], ["default", "400", "200", "409"]].map(document);
    assert_eq!(one.operations[0].responses.len(), 4);
    assert_eq!(format!("{:?} {:?}", one.operations, one.schemas), format!("{:?} {:?}", other.operations, other.schemas));
}
