import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Routes of Spring Data REST, which serves all repositories of a service by the same handlers: their collections and items, their
 * searches, and what items refer to, each as far as the repository lets it be.
 */
final class DataRest {
    private static final String MAPPING = "org.springframework.data.rest.webmvc.RepositoryRestHandlerMapping";
    private static final String TYPES = "org.springframework.data.rest.core.mapping.ResourceType";

    /** Where the path of a repository stands in those of the handlers. */
    private static final String REPOSITORY = "/{repository}";

    private static final String TEXT = "{\"type\":\"string\"}";
    private static final String NUMBER = "{\"minimum\":0,\"type\":\"integer\"}";

    private static final List<String> NOTHING = Collections.emptyList();
    private static final List<String> LINKS = Collections.singletonList("text/uri-list");

    private final Routes routes;
    private final Collection<String> below;
    private final String base;
    /** By the classes of their objects. */
    private final Map<Class<?>, Repository> repositories = new LinkedHashMap<Class<?>, Repository>();
    /** What stands for an object of a class wherever another one refers to it. */
    private final Map<Class<?>, String> links = new HashMap<Class<?>, String>();

    private DataRest(Object mapping, Collection<String> below, Routes routes) throws Exception {
        this.routes = routes;
        this.below = below;
        this.base = base(mapping);
    }

    /** Whether the mapping is that of repositories. */
    static boolean is(Object mapping) {
        for (Class<?> at = mapping.getClass(); at != null; at = at.getSuperclass()) {
            if (at.getName().equals(MAPPING)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a path stands for those of all repositories. */
    static boolean isOfAll(String path) {
        return path.contains(REPOSITORY);
    }

    /** Tells the routes of all repositories, whose paths are below these. */
    static void read(Object mapping, Collection<String> below, Routes routes) throws Exception {
        DataRest rest = new DataRest(mapping, below, routes);
        for (Object metadata : (Iterable<?>) Accessors.field(mapping, "mappings")) {
            if (isTrue(metadata, "isExported")) {
                Repository repository = rest.new Repository(metadata);
                rest.repositories.put(repository.type, repository);
                rest.links.put(repository.type, repository.link());
            }
        }
        for (Repository repository : rest.repositories.values()) {
            repository.tell();
        }
    }

    /** What the service puts in front of the paths of all repositories. */
    private static String base(Object mapping) throws Exception {
        for (Object info : ((Map<?, ?>) Accessors.call(mapping, "getHandlerMethods")).keySet()) {
            for (String path : Routes.springPaths(info)) {
                if (path.endsWith(REPOSITORY)) {
                    return path.substring(0, path.length() - REPOSITORY.length());
                }
            }
        }
        return "";
    }

    /** One repository. */
    private final class Repository {
        final Object metadata;
        final Object supported;
        final Class<?> type;
        final String served;
        final String path;
        final String id;

        Repository(Object metadata) throws Exception {
            this.metadata = metadata;
            Object described = Accessors.field(metadata, "repositoryMetadata");
            supported = Accessors.call(metadata, "getSupportedHttpMethods");
            type = (Class<?>) Accessors.call(metadata, "getDomainType");
            served = ((Class<?>) Accessors.call(described, "getRepositoryInterface")).getName() + ".";
            path = Routes.joined("", String.valueOf(Accessors.call(metadata, "getPath")));
            id = Schemas.of((Class<?>) Accessors.call(described, "getIdType"), Schemas.OF_ONE_TEXT);
        }

        /** A link to one of its items: of one its last segment counts; ids that are counted are small. */
        String link() {
            String last = id.contains("\"type\":\"integer\"") ? "[1-9][0-9]?" : "[^/?#]+";
            return "{\"pattern\":" + Schemas.quoted("^" + base + path + "/" + last + "$") + ",\"type\":\"string\"}";
        }

        void tell() throws Exception {
            String body = Schemas.of(type, Inputs.PARSED, links);
            for (String verb : verbsOf("COLLECTION")) {
                Operation operation = new Operation(NOTHING);
                if (verb.equals("GET")) {
                    page(operation, metadata, false);
                } else {
                    operation.take(body);
                }
                add(path, verb, verb.equals("GET") ? "findAll" : "save", operation);
            }
            for (String verb : verbsOf("ITEM")) {
                Operation operation = ofItem(NOTHING);
                if (verb.startsWith("P")) {
                    operation.take(body);
                }
                add(path + "/{id}", verb, verb.equals("GET") ? "findById" : verb.equals("DELETE") ? "deleteById" : "save", operation);
            }
            searches();
            references();
        }

        private void searches() throws Exception {
            for (Object search : (Iterable<?>) Accessors.call(metadata, "getSearchResourceMappings")) {
                if (isTrue(search, "isExported")) {
                    Method method = (Method) Accessors.call(search, "getMethod");
                    Operation operation = new Operation(NOTHING);
                    operation.addParameters(method, true);
                    page(operation, search, isTrue(search, "isSortableResource"));
                    String name = String.valueOf(Accessors.call(search, "getPath"));
                    add(Routes.joined(path + "/search", name), "GET", method.getName(), operation);
                }
            }
        }

        /** What items refer to, where that is of another repository. */
        private void references() throws Exception {
            Object entities = Accessors.field(Accessors.field(metadata, "provider"), "entities");
            Object entity = Accessors.call(Accessors.ask(entities, "getPersistentEntity", type), "get");
            for (Object property : (Iterable<?>) entity) {
                Repository other = repositories.get((Class<?>) Accessors.call(property, "getActualType"));
                if (other != null && isTrue(property, "isAssociation")
                        && Boolean.TRUE.equals(Accessors.ask(metadata, "isExported", property))) {
                    Object mapping = Accessors.ask(metadata, "getMappingFor", property);
                    String at = Routes.joined(path + "/{id}", String.valueOf(Accessors.call(mapping, "getPath")));
                    reference(at, property, other, isTrue(property, "isCollectionLike"));
                }
            }
        }

        private void reference(String at, Object property, Repository other, boolean isMany) throws Exception {
            for (String verb : verbs(Accessors.ask(supported, "getMethodsFor", property))) {
                boolean hasBody = verb.startsWith("P");
                Operation operation = ofItem(hasBody ? LINKS : NOTHING);
                if (hasBody) {
                    operation.take(links.get(other.type));
                }
                // The handlers refuse to take away all of many, and to change one but by another.
                if (!verb.equals(isMany ? "DELETE" : "PATCH")) {
                    add(at, verb, hasBody ? "save" : "findById", operation);
                }
                if (isMany && !hasBody) {
                    Operation ofOne = ofItem(NOTHING);
                    ofOne.parameter("propertyId", "path", true, other.id);
                    add(at + "/{propertyId}", verb, "findById", ofOne);
                }
            }
        }

        private Operation ofItem(List<String> consumed) {
            Operation operation = new Operation(consumed);
            operation.parameter("id", "path", true, id);
            return operation;
        }

        private Collection<String> verbsOf(String resources) throws Exception {
            Class<?> kinds = Class.forName(TYPES, false, metadata.getClass().getClassLoader());
            for (Object kind : kinds.getEnumConstants()) {
                if (kind.toString().equals(resources)) {
                    return verbs(Accessors.ask(supported, "getMethodsFor", kind));
                }
            }
            return new TreeSet<String>();
        }

        private void add(String path, String verb, String method, Operation operation) {
            for (String above : below) {
                routes.add(Routes.joined(above, base + path), verb, served + method, "spring", operation.toString());
            }
        }
    }

    /** What a repository lets be done, without what its handlers answer by themselves. */
    private static Collection<String> verbs(Object methods) {
        Collection<String> verbs = new TreeSet<String>();
        for (Object method : (Iterable<?>) methods) {
            verbs.add(method.toString());
        }
        verbs.remove("HEAD");
        verbs.remove("OPTIONS");
        return verbs;
    }

    /** Which of many are wanted, and in what order. */
    private static void page(Operation operation, Object resource, boolean isSorted) throws Exception {
        boolean isPaged = isTrue(resource, "isPagingResource");
        if (isPaged) {
            operation.parameter("page", "query", false, NUMBER);
            operation.parameter("size", "query", false, NUMBER);
        }
        if (isPaged || isSorted) {
            operation.parameter("sort", "query", false, TEXT);
        }
    }

    private static boolean isTrue(Object object, String name) throws Exception {
        return Boolean.TRUE.equals(Accessors.call(object, name));
    }
}
